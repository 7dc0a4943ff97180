import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/index.css";
import { App } from "./App.tsx";

// The code of the usual first screen is read while the core opens the data, not after.
if (/^(#\/?(chat\b.*)?)?$/.test(window.location.hash)) void import("./screens/chat/ChatScreen.tsx");

const root = document.getElementById("root");
if (root) {
  document.documentElement.classList.add(`platform-${window.credence.platform}`);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// An Electron with one window and one text field: what any Electron app costs.
const { app, BrowserWindow } = require("electron");

app.setPath("userData", process.env.EMPTY_PROFILE);
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 820, show: false, webPreferences: { sandbox: true } });
  window.once("ready-to-show", () => window.show());
  window.loadFile("index.html");
});

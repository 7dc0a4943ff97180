import { Screen } from "../../components/Frame.tsx";
import { useRoute } from "../../hooks/useRoute.ts";
import { Conversation } from "./Conversation.tsx";
import { ChatList } from "./list/ChatList.tsx";
import "./chat.css";

/** Conversations at the left, one of them on the sheet. `#/chat/new` is one that its first message will make. */
export function ChatScreen() {
  const route = useRoute();
  const id = route.path[0] ?? "new";
  return (
    <Screen side={route.path[1] === "turn" ? undefined : <ChatList current={id} />}>
      <Conversation key={id} id={id} find={route.query["find"] ?? null} message={route.query["message"] ?? null} />
    </Screen>
  );
}

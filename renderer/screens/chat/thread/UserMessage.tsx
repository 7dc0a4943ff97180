import { memo } from "react";
import type { Message } from "../../../../core/contract/index.ts";
import { Icon } from "../../../components/Icon.tsx";

/** What the user wrote, as written. */
export const UserMessage = memo(function UserMessage({ message }: { readonly message: Message }) {
  return (
    <div className="you-row">
      <div className="you">{message.content}</div>
      {(message.damaged || message.note) && (
        <p className="row f12 faint ended">
          <Icon name="info" size="s" />
          {message.damaged ?? message.note}
        </p>
      )}
    </div>
  );
});

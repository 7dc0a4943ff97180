import { Button } from "../../components/Button.tsx";
import { Banner } from "../../components/States.tsx";
import { fullTime } from "../../format/times.ts";
import { useAppInfo, useReadOnly } from "../../hooks/useAppInfo.ts";
import { useEngineState } from "../../hooks/useEngineState.ts";
import { useNow } from "../../hooks/useNow.ts";
import { useRestore } from "../../hooks/useRestore.tsx";
import { navigate } from "../../hooks/useRoute.ts";
import { backups } from "../../words/backups.ts";
import { chat as words } from "../../words/chat.ts";

/** What works less well now, why, and until when. Nothing while all is well. */
export function EngineBanner() {
  const engine = useEngineState();
  const readOnly = useReadOnly();
  const waiting = engine !== null && engine.retryAt !== null && engine.state !== "ready";
  const now = useNow(waiting ? 1000 : null);
  if (readOnly) return <RescueBanner reason={readOnly} />;
  if (!engine || engine.state === "ready" || (engine.state === "starting" && !engine.message)) return null;
  const seconds = engine.retryAt === null ? null : Math.max(0, Math.ceil((engine.retryAt - now) / 1000));
  return (
    <Banner
      line
      icon={engine.state === "starting" ? "info" : "alert"}
      title={words.engine[engine.state]}
      action={
        engine.state !== "starting" && (
          <Button kind="quiet" size="s" onClick={() => navigate({ screen: "models" })}>
            {words.otherModel}
          </Button>
        )
      }
    >
      {engine.message} {seconds !== null && seconds > 0 && words.nextTry(seconds)}
    </Banner>
  );
}

/** Why nothing can be changed, and the way back: the last copy that was sound. */
function RescueBanner({ reason }: { readonly reason: string }) {
  const backup = useAppInfo()?.readOnly?.backup ?? null;
  const { restore, dialog } = useRestore();
  return (
    <Banner
      line
      icon="lock"
      title={words.readOnlyTitle}
      action={
        backup && (
          <>
            <Button size="s" title={backup.path} onClick={() => restore(backup)}>
              {backups.restoreThat}
            </Button>
            {dialog}
          </>
        )
      }
    >
      {reason} {backup && words.copyFrom(fullTime(backup.createdAt, Date.now()))}
    </Banner>
  );
}

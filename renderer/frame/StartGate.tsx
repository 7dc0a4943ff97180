import { type ReactNode, useEffect } from "react";
import { Button } from "../components/Button.tsx";
import { Mark } from "../components/Icon.tsx";
import { ErrorState, Skeleton } from "../components/States.tsx";
import { type BridgeError, call } from "../hooks/bridge.ts";
import { AppInfoContext } from "../hooks/useAppInfo.ts";
import { useCall } from "../hooks/useCall.ts";
import { useEvent } from "../hooks/useEvent.ts";
import { useSettings } from "../hooks/useSettings.ts";
import { FirstStartScreen } from "../screens/first-start/FirstStartScreen.tsx";
import { frame } from "../words/frame.ts";

/** Waits for the core; explains a failed start; shows the first-start screen once; then the app. */
export function StartGate({ children }: { readonly children: ReactNode }) {
  const startup = useCall("app.startup", {});
  if (startup.problem) return <StartFailed problem={startup.problem} dataDir={null} onRetry={startup.reload} />;
  if (!startup.data) return <Starting />;
  if (startup.data.state === "failed") {
    const retry = () => {
      startup.set(() => undefined);
      call("app.retryStartup", {}).finally(startup.reload);
    };
    return <StartFailed problem={startup.data.error as BridgeError} dataDir={startup.data.dataDir} onRetry={retry} />;
  }
  return <Started>{children}</Started>;
}

function Started({ children }: { readonly children: ReactNode }) {
  const info = useCall("app.info", {});
  const settings = useSettings();
  const reload = info.reload;
  useEvent("engine.state", reload);
  useEffect(() => {
    document.title = "Credence";
  }, []);
  if (info.problem) return <StartFailed problem={info.problem} dataDir={null} onRetry={info.reload} />;
  if (!info.data || !settings) return <Starting />;
  return (
    <AppInfoContext value={info.data}>
      {settings.firstStartDone || info.data.readOnly ? children : <FirstStartScreen />}
    </AppInfoContext>
  );
}

function Starting() {
  return (
    <div className="start">
      <Mark size={40} />
      <Skeleton lines={0} what={frame.starting} />
    </div>
  );
}

interface StartFailedProps {
  readonly problem: BridgeError;
  readonly dataDir: string | null;
  readonly onRetry: () => void;
}

function StartFailed({ problem, dataDir, onRetry }: StartFailedProps) {
  return (
    <main className="start">
      <Mark size={40} />
      <ErrorState
        title={frame.startFailed}
        problem={{ ...problem, retry: "later" }}
        onRetry={onRetry}
        actions={
          <>
            {dataDir && (
              <Button kind="quiet" onClick={() => call("shell.revealPath", { path: dataDir }).catch(() => undefined)}>
                {frame.showFolder}
              </Button>
            )}
            <Button kind="quiet" onClick={() => call("app.quit", {}).catch(() => undefined)}>
              {frame.quit}
            </Button>
          </>
        }
      />
    </main>
  );
}

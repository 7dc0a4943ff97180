import { useEffect, useRef } from "react";
import { Button } from "../../components/Button.tsx";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { count } from "../../format/numbers.ts";
import { useAppInfo } from "../../hooks/useAppInfo.ts";
import { chooseModels, useModels } from "../../hooks/useModels.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { changeSettings } from "../../hooks/useSettings.ts";
import { firstStart as words } from "../../words/first-start.ts";
import { models as modelWords } from "../../words/models.ts";
import { BringReading } from "./BringReading.tsx";
import { ModelChoice } from "./ModelChoice.tsx";
import { Promises } from "./Promises.tsx";
import "./first-start.css";

/** Shown once: what stays here, which model is there, and how to use another. */
export function FirstStartScreen() {
  const models = useModels();
  const info = useAppInfo();
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => start.current?.focus(), []);
  const begin = () => {
    navigate({ screen: "chat", path: ["new"] }, { replace: true });
    changeSettings({ firstStartDone: true });
  };
  return (
    <div className="fs">
      <Promises dataDir={info?.dataDir ?? null} />
      <aside className="fs-card" data-region="sheet">
        <h2 className="lab">{words.yourModel}</h2>
        <div className="fs-choice">
          {models.problem ? (
            <ErrorState title={modelWords.listFailed} problem={models.problem} onRetry={models.reload} />
          ) : models.data ? (
            <ModelChoice
              model={models.active ?? models.chat[0]}
              machine={models.data.machine}
              onChoose={chooseModels}
            />
          ) : (
            <Skeleton what={words.loading} />
          )}
        </div>
        <BringReading />
        <div className="fs-go">
          <Button ref={start} kind="primary" size="l" keys="enter" onClick={begin}>
            {words.start}
          </Button>
          <p className="f12 faint">
            {info && info.requestsEver > 0 ? words.requests(count(info.requestsEver)) : words.noRequest}
          </p>
        </div>
      </aside>
    </div>
  );
}

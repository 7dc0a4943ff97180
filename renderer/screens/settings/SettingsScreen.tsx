import { Button } from "../../components/Button.tsx";
import { Screen, Sheet } from "../../components/Frame.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { Skeleton } from "../../components/States.tsx";
import { Switch } from "../../components/Switch.tsx";
import { count, percent } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { useAppInfo } from "../../hooks/useAppInfo.ts";
import { changeSettings, useSettings } from "../../hooks/useSettings.ts";
import { settings as words } from "../../words/settings.ts";
import { BackupSettings } from "./BackupSettings.tsx";
import { ContextLimit } from "./ContextLimit.tsx";
import { KeyList } from "./KeyList.tsx";
import { Setting, SettingGroup } from "./Setting.tsx";
import { Stepper } from "./Stepper.tsx";
import { ToolSettings } from "./ToolSettings.tsx";
import "./settings.css";

const textSizes = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

export function SettingsScreen() {
  const settings = useSettings();
  const info = useAppInfo();
  return (
    <Screen>
      <Sheet title={words.title}>
        {!settings ? (
          <Skeleton lines={6} what={words.loading} />
        ) : (
          <div className="settings scroll">
            <div className="settings-col">
              <SettingGroup title={words.look}>
                <Setting label={words.theme}>
                  <Segmented
                    label={words.theme}
                    value={settings.theme}
                    options={(["system", "light", "dark"] as const).map((value) => ({
                      value,
                      label: words.themes[value],
                    }))}
                    onChange={(theme) => changeSettings({ theme })}
                  />
                </Setting>
                <Setting label={words.textSize} note={words.textSizeNote}>
                  <Stepper
                    value={settings.textSize}
                    steps={textSizes}
                    show={percent}
                    less={words.smaller}
                    more={words.larger}
                    onChange={(textSize) => changeSettings({ textSize })}
                  />
                </Setting>
              </SettingGroup>
              <SettingGroup title={words.writing}>
                <Setting label={words.sendWithEnter} note={words.sendWithEnterNote}>
                  <Switch
                    label={words.sendWithEnter}
                    checked={settings.sendWithEnter}
                    onChange={(sendWithEnter) => changeSettings({ sendWithEnter })}
                  />
                </Setting>
              </SettingGroup>
              <SettingGroup title={words.answers}>
                <Setting label={words.contextLimit} note={words.contextNote}>
                  <ContextLimit
                    value={settings.contextLimit}
                    onChange={(contextLimit) => changeSettings({ contextLimit })}
                  />
                </Setting>
                <Setting label={words.iterations} note={words.iterationsNote}>
                  <Stepper
                    value={settings.maxIterations}
                    steps={Array.from({ length: 50 }, (_, index) => index + 1)}
                    show={count}
                    less={words.fewer}
                    more={words.moreSteps}
                    onChange={(maxIterations) => changeSettings({ maxIterations })}
                  />
                </Setting>
              </SettingGroup>
              <ToolSettings searchEngine={settings.searchEngine ?? null} />
              {info && (
                <SettingGroup title={words.data}>
                  <Setting label={words.folder} note={<span className="path">{info.dataDir}</span>}>
                    <Button onClick={() => act("shell.revealPath", { path: info.dataDir })}>{words.show}</Button>
                  </Setting>
                  {info.readOnly && <Setting label={words.readOnly} note={info.readOnly.reason} />}
                  <Setting
                    label={words.network}
                    note={info.requestsEver === 0 ? words.noRequests : words.requests(count(info.requestsEver))}
                  />
                  <Setting label={words.about} note={words.version(info.version, info.runtime)} />
                </SettingGroup>
              )}
              <BackupSettings readOnly={info?.readOnly != null} />
              <KeyList />
            </div>
          </div>
        )}
      </Sheet>
    </Screen>
  );
}

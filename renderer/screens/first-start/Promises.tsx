import { Icon, Mark } from "../../components/Icon.tsx";
import { call } from "../../hooks/bridge.ts";
import { chooseBackup, useRestore } from "../../hooks/useRestore.tsx";
import { firstStart as words } from "../../words/first-start.ts";

/** What Credence is, in three sentences one can hold it to. */
export function Promises({ dataDir }: { readonly dataDir: string | null }) {
  const { restore, dialog } = useRestore();
  const fromBackup = async () => {
    const chosen = await chooseBackup();
    if (chosen) restore(chosen);
  };
  return (
    <main className="fs-words">
      <Mark size={40} />
      <h1>{words.headline}</h1>
      <p className="lead">{words.lead}</p>
      <ul>
        {words.promises.map((promise) => (
          <li key={promise.title}>
            <Icon name={promise.icon} size="l" />
            <b>{promise.title}</b>
            <span>{promise.text}</span>
          </li>
        ))}
      </ul>
      {dataDir && (
        <p className="f12 faint where">
          {words.dataFolder} <span className="path">{dataDir}</span> ·{" "}
          <button
            type="button"
            className="link"
            onClick={() => call("shell.revealPath", { path: dataDir }).catch(() => undefined)}
          >
            {words.showFolder}
          </button>{" "}
          ·{" "}
          <button type="button" className="link" onClick={fromBackup}>
            {words.restoreBackup}
          </button>
          {dialog}
        </p>
      )}
    </main>
  );
}

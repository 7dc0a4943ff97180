import { Button } from "../../components/Button.tsx";
import { attachFolders } from "../../drop/attachFiles.ts";
import { dropPaths } from "../../drop/registry.ts";
import { act } from "../../hooks/useAction.ts";
import { firstStart as words } from "../../words/first-start.ts";
import { screens } from "../index.ts";

const has = (id: string) => screens.some((screen) => screen.id === id);

/** A folder or a feed list to begin with, where the library and the feeds exist. */
export function BringReading() {
  if (!has("library") && !has("feeds")) return null;
  const chooseFeeds = async () => {
    const chosen = await act("shell.openFiles", { kind: "subscriptions" });
    if (chosen && chosen.value.paths.length > 0) dropPaths(chosen.value.paths);
  };
  return (
    <div className="fs-bring">
      <h2 className="lab">{words.bring}</h2>
      <div className="row">
        {has("library") && (
          <Button className="grow" icon="folder" onClick={attachFolders}>
            {words.folder}
          </Button>
        )}
        {has("feeds") && (
          <Button className="grow" icon="feeds" onClick={chooseFeeds}>
            {words.feedList}
          </Button>
        )}
      </div>
      <p className="f12 faint">{words.later}</p>
    </div>
  );
}

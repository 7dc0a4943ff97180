import { Button } from "../../components/Button.tsx";
import { attachFolders } from "../../drop/attachFiles.ts";
import { firstStart as words } from "../../words/first-start.ts";
import { importList } from "../feeds/lists.ts";
import { screens } from "../index.ts";

const has = (id: string) => screens.some((screen) => screen.id === id);

/** A folder or a feed list to begin with, where the library and the feeds exist. */
export function BringReading() {
  if (!has("library") && !has("feeds")) return null;
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
          <Button className="grow" icon="feeds" onClick={() => void importList()}>
            {words.feedList}
          </Button>
        )}
      </div>
      <p className="f12 faint">{words.later}</p>
    </div>
  );
}

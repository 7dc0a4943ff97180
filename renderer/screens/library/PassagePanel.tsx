import type { LibraryDocument, Result } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { CredenceScale, side } from "../../components/CredenceScale.tsx";
import { Switch } from "../../components/Switch.tsx";
import { toast } from "../../components/toasts.ts";
import { count, plural, signed } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { library as words } from "../../words/library.ts";
import { writeDraft } from "../chat/composer/drafts.ts";

export interface PassagePanelProps {
  readonly document: LibraryDocument;
  readonly passage: Result<"library.passage"> | null;
}

/** What is known of the passage: its place, the answers that cite it, the beliefs that stand on it. */
export function PassagePanel({ document, passage }: PassagePanelProps) {
  const open = passage?.passage ?? null;
  const copy = () =>
    void act("shell.copyText", { text: open?.text ?? document.name }).then(
      (done) => done && toast({ text: words.copied }),
    );
  const ask = () => {
    writeDraft("new", words.askDraft(document.name, open?.place ?? document.name));
    navigate({ screen: "chat", path: ["new"] });
  };
  return (
    <aside className="pane bl library-panel" aria-label={open ? words.thisPassage : words.thisDocument}>
      <div className="library-facts">
        <span className="lab">{open ? words.thisPassage : words.thisDocument}</span>
        <p className="f12 dim">
          {open
            ? `${words.passagePlace(open.place, count(open.start), count(open.end))} ${passage?.citations == null ? "" : words.citedIn(passage.citations)}`
            : words.facts(count(document.characters), plural(document.passages, "passage"))}
        </p>
        <div className="row">
          <Button size="s" icon="chat" onClick={ask}>
            {words.askAbout}
          </Button>
          {open && (
            <Button size="s" kind="quiet" icon="copy" onClick={copy}>
              {words.copy}
            </Button>
          )}
          {document.path !== null && !open && (
            <Button
              size="s"
              kind="quiet"
              icon="folder"
              onClick={() => void act("shell.revealPath", { path: document.path! })}
            >
              {words.reveal}
            </Button>
          )}
        </div>
      </div>
      {passage && (
        <>
          <div className="hr" />
          <div className="library-facts">
            <span className="lab">{words.standing}</span>
            {passage.beliefs.length === 0 && <p className="f12 dim">{words.noneStanding}</p>}
            {passage.beliefs.map((belief) => (
              <a
                key={belief.beliefId}
                className="library-belief"
                href={`#/beliefs/${encodeURIComponent(belief.beliefId)}`}
              >
                <span>{belief.statement}</span>
                <span className="row f12 num">
                  <CredenceScale value={belief.valence} width={96} />
                  <b
                    className={
                      side(belief.valence) === "p" ? "for" : side(belief.valence) === "q" ? "against" : "faint"
                    }
                  >
                    {signed(belief.valence)}
                  </b>
                </span>
              </a>
            ))}
          </div>
        </>
      )}
      <div className="row f12 dim library-moves">
        <Switch
          label={words.fileMayMove}
          checked={document.mayMoveBeliefs}
          onChange={(value) => void act("library.setMayMoveBeliefs", { ids: [document.id], value })}
        />
        {words.fileMayMove}
      </div>
    </aside>
  );
}

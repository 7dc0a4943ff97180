import { Icon, type IconName } from "../../components/Icon.tsx";
import { count, percent } from "../../format/numbers.ts";
import type { InstalledModel } from "../../hooks/useModels.ts";
import { models as words } from "../../words/models.ts";

const sign = (share: number): IconName => (share >= 0.9 ? "check" : share > 0.1 ? "still" : "x");

/** What the aptitude check found, as it was measured. */
export function Abilities({ model }: { readonly model: InstalledModel }) {
  const profile = model.profile;
  if (!profile) {
    if (model.fits === "no" || model.state === "failed") return null;
    return <p className="f12 faint">{words.notChecked}</p>;
  }
  const shares = [
    [words.ability.nativeCalls, profile.nativeCalls],
    [words.ability.grammarChoice, profile.grammarChoice],
    [words.ability.copiesFacts, profile.copiesFacts],
    [words.ability.followsSystem, profile.followsSystem],
  ] as const;
  const languages = profile.languages.map(languageName);
  return (
    <>
      <ul className="apt f12">
        {shares.map(([label, share]) => (
          <li key={label}>
            <Icon name={sign(share)} size="s" className={share > 0.1 ? "dim" : "faint"} />
            <span className="grow">{label}</span>
            <span className="num dim">{percent(share)}</span>
          </li>
        ))}
        <li>
          <Icon
            name={profile.recallsBack >= model.window * 0.5 ? "check" : profile.recallsBack > 0 ? "still" : "x"}
            size="s"
            className="dim"
          />
          <span className="grow">{words.ability.recallsBack}</span>
          <span className="num dim">{words.upTo(count(profile.recallsBack))}</span>
        </li>
      </ul>
      <p className="verdict">
        <b className="m">{words.decides[profile.proposer]}</b>{" "}
        {languages.length > 0 && words.languages(languages.join(", "))} {profile.proposer === "harness" && words.larger}
      </p>
    </>
  );
}

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code; // already a name, not a code
  }
}

import { Icon, Mark } from "../components/Icon.tsx";
import { Tooltip } from "../components/Tooltip.tsx";
import { formatRoute } from "../hooks/useRoute.ts";
import { type ScreenEntry, screens } from "../screens/index.ts";
import { frame } from "../words/frame.ts";

/** The screens: work above, machinery below. */
export function Rail({ current }: { readonly current: string }) {
  const place = (where: ScreenEntry["place"]) => (
    <ul className={where === "foot" ? "foot" : undefined}>
      {screens
        .filter((screen) => screen.place === where)
        .map((screen) => (
          <li key={screen.id}>
            <RailLink screen={screen} current={screen.id === current} />
          </li>
        ))}
    </ul>
  );
  return (
    <nav className="rail" aria-label={frame.screens} data-region="rail" tabIndex={-1}>
      <div className="mark">
        <Mark />
      </div>
      {place("top")}
      {place("foot")}
    </nav>
  );
}

const never = () => false;

function RailLink({ screen, current }: { readonly screen: ScreenEntry; readonly current: boolean }) {
  const usePip = screen.usePip ?? never;
  const pip = usePip();
  return (
    <Tooltip text={screen.label} keys={screen.keys}>
      <a
        className="to"
        href={formatRoute({ screen: screen.id })}
        aria-current={current ? "page" : undefined}
        draggable={false}
      >
        <Icon name={screen.icon} size="l" />
        {screen.label}
        {pip && !current && (
          <i className="pip">
            <span className="vh">{frame.news}</span>
          </i>
        )}
      </a>
    </Tooltip>
  );
}

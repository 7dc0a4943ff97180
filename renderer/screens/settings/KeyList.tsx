import { Kbd } from "../../components/Kbd.tsx";
import { settings as words } from "../../words/settings.ts";
import { SettingGroup } from "./Setting.tsx";

/** Every key and what it does. */
export function KeyList() {
  return (
    <SettingGroup title={words.keys}>
      <div className="keys">
        {words.keyGroups.map((group) => (
          <section key={group.title}>
            <h3 className="f12 faint m">{group.title}</h3>
            <dl>
              {group.keys.map(([keys, what]) => (
                <div key={keys}>
                  <dt>
                    <Kbd keys={keys} />
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </SettingGroup>
  );
}

import { Button } from "../../components/Button.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { count } from "../../format/numbers.ts";
import { settings as words } from "../../words/settings.ts";

const limits = [2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144];

export interface ContextLimitProps {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

export function ContextLimit({ value, onChange }: ContextLimitProps) {
  const known = value === null || limits.includes(value) ? limits : [...limits, value].sort((a, b) => a - b);
  return (
    <Menu
      trigger={
        <Button className="num">
          {value === null ? words.automatic : words.tokens(count(value))}
          <Icon name="down" size="s" />
        </Button>
      }
      groups={[
        { items: [{ label: words.automatic, checked: value === null, run: () => onChange(null) }] },
        {
          items: known.map((limit) => ({
            label: words.tokens(count(limit)),
            checked: value === limit,
            run: () => onChange(limit),
          })),
        },
      ]}
    />
  );
}

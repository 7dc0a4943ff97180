import { type ScreenEntry, screens } from "../screens/index.ts";

/** Runs what screens do while they are not shown. */
export function Background() {
  return screens.map((screen) => screen.useBackground && <Run key={screen.id} use={screen.useBackground} />);
}

function Run({ use }: { readonly use: NonNullable<ScreenEntry["useBackground"]> }) {
  use();
  return null;
}

/**
 * The shared parts of every screen. They take props and call back; none of them touches the bridge. Their look is in
 * ../styles, every value in ../styles/tokens.css.
 */
export * from "./ActivityLine.tsx";
export * from "./BeliefNote.tsx";
export * from "./Button.tsx";
export * from "./Card.tsx";
export * from "./Chip.tsx";
export * from "./CitationChip.tsx";
export * from "./CredenceScale.tsx";
export * from "./Dialog.tsx";
export * from "./Field.tsx";
export * from "./Frame.tsx";
export * from "./Icon.tsx";
export * from "./Kbd.tsx";
export * from "./ListRow.tsx";
export * from "./Marked.tsx";
export * from "./Menu.tsx";
export * from "./Meter.tsx";
export * from "./Passage.tsx";
export * from "./Segmented.tsx";
export * from "./States.tsx";
export * from "./Switch.tsx";
export * from "./Table.tsx";
export * from "./Tabs.tsx";
export * from "./Tooltip.tsx";
export * from "./toasts.ts";
export * from "./VirtualList.tsx";

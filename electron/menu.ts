import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from "electron";
import type { ShellCommand } from "../core/contract/index.ts";

const screens: readonly (readonly [label: string, command: ShellCommand])[] = [
  ["Chat", "screen-chat"],
  ["Beliefs", "screen-beliefs"],
  ["Library", "screen-library"],
  ["Feeds", "screen-feeds"],
  ["Memory", "screen-memory"],
  ["Models", "screen-models"],
  ["Privacy", "screen-privacy"],
];

/**
 * The application menu. The window handles the same shortcuts, and sees each key first; the menu shows them, and on
 * macOS it is where they are looked for.
 */
export function installMenu(options: { developer: boolean; send: (command: ShellCommand) => void }): void {
  const item = (label: string, accelerator: string, command: ShellCommand): MenuItemConstructorOptions => ({
    label,
    accelerator,
    registerAccelerator: false,
    click: () => options.send(command),
  });
  const mac = process.platform === "darwin";
  const settings = item("Settings", "CmdOrCtrl+,", "screen-settings");
  const template: MenuItemConstructorOptions[] = [
    ...(mac
      ? [
          {
            role: "appMenu",
            submenu: [
              { role: "about" },
              { type: "separator" },
              settings,
              { type: "separator" },
              { role: "hide" },
              { role: "hideOthers" },
              { role: "unhide" },
              { type: "separator" },
              { role: "quit" },
            ],
          } satisfies MenuItemConstructorOptions,
        ]
      : []),
    {
      label: "File",
      submenu: [
        item("New chat", "CmdOrCtrl+N", "new-chat"),
        { type: "separator" },
        ...(mac ? [] : [settings, { type: "separator" } satisfies MenuItemConstructorOptions]),
        mac ? { role: "close" } : { role: "quit" },
      ],
    },
    {
      label: "Edit",
      submenu: [
        { role: "undo" },
        { role: "redo" },
        { type: "separator" },
        { role: "cut" },
        { role: "copy" },
        { role: "paste" },
        { role: "selectAll" },
        { type: "separator" },
        item("Find here", "CmdOrCtrl+F", "find-here"),
        item("Search documents", "Shift+CmdOrCtrl+F", "search-documents"),
      ],
    },
    {
      label: "View",
      submenu: [
        item("Find anything", "CmdOrCtrl+K", "palette"),
        item("Inspect turn", "CmdOrCtrl+I", "inspect-turn"),
        item("Evidence panel", "CmdOrCtrl+E", "evidence-panel"),
        { type: "separator" },
        ...screens.map(([label, command], i) => item(label, `CmdOrCtrl+${i + 1}`, command)),
        { type: "separator" },
        { role: "togglefullscreen" },
        ...(options.developer
          ? ([{ role: "reload" }, { role: "toggleDevTools" }] satisfies MenuItemConstructorOptions[])
          : []),
      ],
    },
    { role: "windowMenu" },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** The menu under the pointer in text: what every text field on the system offers. */
export function installContextMenu(window: BrowserWindow): void {
  window.webContents.on("context-menu", (_event, params) => {
    const template: MenuItemConstructorOptions[] = params.isEditable
      ? [{ role: "cut" }, { role: "copy" }, { role: "paste" }, { type: "separator" }, { role: "selectAll" }]
      : params.selectionText
        ? [{ role: "copy" }]
        : [];
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });
}

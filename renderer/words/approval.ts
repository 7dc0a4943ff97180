/** What the tools of our own ask for. */
const titles: Readonly<Record<string, string>> = {
  web_research: "Search the web for this answer?",
  forget_memory: "Forget this?",
};

/** The words of the approval dialog. */
export const approval = {
  title: (tool: string) => titles[tool] ?? `Allow ${tool.replace(/_/g, " ")}?`,
  waiting: (label: string, step: number, leaves: boolean) =>
    `${label ? `${label}. ` : ""}The turn is waiting at step ${step}. Nothing has been ${leaves ? "sent" : "done"} yet.`,
  known: (tool: string) => Object.hasOwn(titles, tool),
  leaves: "What would leave this machine",
  stays: "What would happen",
  nothingLeaves: "Nothing leaves this machine. The step is done here, with the arguments below.",
  nothingLeavesDestructive: "Nothing leaves this machine, but what the step changes here may not come back.",
  args: "Arguments",
  safety: { sensitive: "Sensitive", destructive: "Destructive" },
  remember: "Remember my answer",
  rememberOnce: "Only this time",
  rememberConversation: "In this chat",
  rememberAlways: "Always",
  rememberNote: {
    once: "The next call asks again. With “Always”, the buttons become Always allow and Never allow.",
    conversation: "This chat does not ask again for this tool, whichever you choose. Other chats do.",
    always:
      "Credence does not ask again for this tool, whichever you choose. Privacy lists your answers, to change them.",
  },
  reason: "If you refuse: a reason the model may use (optional)",
  noHurry: "The turn waits for you.",
  refuse: { once: "Don’t allow", conversation: "Don’t allow in this chat", always: "Never allow" },
  allow: { once: "Allow once", conversation: "Allow in this chat", always: "Always allow" },
} as const;

import { Toast } from "@base-ui/react/toast";

export interface ToastOptions {
  readonly text: string;
  readonly tone?: "plain" | "problem";
  /** Offers to take it back; Ctrl Z does the same while the toast is shown. */
  readonly undo?: () => void;
  /** Another thing to do about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const toastManager = Toast.createToastManager<{ options: ToastOptions }>();

/** Says something at the foot of the window: 5 s, 8 s with something to do, 10 s for a problem. */
export function toast(options: ToastOptions): string {
  const timeout = options.tone === "problem" ? 10_000 : options.undo || options.action ? 8000 : 5000;
  return toastManager.add({
    title: options.text,
    priority: options.tone === "problem" ? "high" : "low",
    timeout,
    data: { options },
  });
}

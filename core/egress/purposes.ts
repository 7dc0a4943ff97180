/** The purposes that a request may serve, in the words of the privacy screen. */
import { EgressPurpose } from "../contract/index.ts";

export interface PurposeWords {
  readonly title: string;
  /** After "all for": "your feeds". */
  readonly forWhat: string;
  readonly leaves: string;
}

export const PURPOSES: Readonly<Record<EgressPurpose, PurposeWords>> = {
  feeds: {
    title: "Feeds",
    forWhat: "your feeds",
    leaves: "A request to each address you subscribe to. The site sees your network address.",
  },
  "web-research": {
    title: "Web search",
    forWhat: "web search",
    leaves: "The words to look for, and requests for pages from the results. Each site sees your network address.",
  },
  "feed-images": {
    title: "Images in feeds",
    forWhat: "images in feeds",
    leaves: "A request for each image you ask for. The site sees your network address.",
  },
  models: {
    title: "Model downloads",
    forWhat: "model downloads",
    leaves: "A request for each model file you choose. The site sees your network address.",
  },
  mcp: {
    title: "Tools from other programs",
    forWhat: "tools from other programs",
    leaves: "What the assistant asks a tool server to do. The server sees your network address.",
  },
};

export const ALL_PURPOSES: readonly EgressPurpose[] = EgressPurpose.options;

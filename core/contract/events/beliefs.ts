import { z } from "zod";

/** Beliefs changed: formed, moved, refused to move, edited or removed. `ids` is empty when only the snapshot changed. */
export const BeliefsChanged = z.object({ type: z.literal("beliefs.changed"), ids: z.array(z.string()) });

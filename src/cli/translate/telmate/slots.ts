import type { Block } from "../hcl/document.ts";
import type { Translation } from "../translation.ts";

type Handler = (block: Block, translation: Translation, dynamic?: object) => void;

function unclear({ node }: Block, path: string, translation: Translation): void {
  const todo =
    "write the entries as a map by slot, `{ for … : slot => { … } }`: the slots of this block are not known here";
  translation.out.tail.push(translation.note("hand", node.line, path, todo));
}

function eachBlock(outer: Block, path: string, translation: Translation, act: (block: Block) => void): void {
  for (const block of outer.body.items) {
    if (block.kind !== "block") continue;
    if (block.type === "dynamic") unclear(block, path, translation);
    else act(block);
  }
}

/** `networks { net0 { … } }`: blocks named after their slots. */
export const inSlots =
  (path: string): Handler =>
  (block, translation, dynamic) => {
    if (dynamic !== undefined) unclear(block, path, translation);
    else eachBlock(block, path, translation, ({ type, body, before }) => translation.inSlot(path, type, body, before));
  };

/** `mounts { mp0 { data { … } } }`: a block named after its slot has one of several kinds. */
export const kindsInSlots =
  (
    path: string,
    keyOf = (slot: string) => slot,
    act?: (kind: string, key: string, translation: Translation) => void,
  ): Handler =>
  (block, translation, dynamic) => {
    if (dynamic !== undefined) unclear(block, path, translation);
    else
      eachBlock(block, path, translation, (slot) =>
        eachBlock(slot, path, translation, ({ type, body, before }) => {
          translation.inSlot(path, keyOf(slot.type), body, [...slot.before, ...before]);
          act?.(type, keyOf(slot.type), translation);
        }),
      );
  };

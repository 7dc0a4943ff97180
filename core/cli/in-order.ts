/**
 * Works on many inputs at a time and gives the results in the order of the inputs. At most `ahead` results are held back
 * while an earlier one is still on its way, so that memory stays bounded however many inputs there are.
 */
export async function* inOrder<Input, Value>(
  inputs: AsyncIterable<Input>,
  work: (input: Input) => Promise<Value>,
  ahead: number,
): AsyncGenerator<Value> {
  const started: Promise<Value>[] = [];
  for await (const input of inputs) {
    started.push(work(input));
    if (started.length >= ahead) yield await started.shift()!;
  }
  while (started.length > 0) yield await started.shift()!;
}

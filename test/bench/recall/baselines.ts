/** What the product is measured against: BM25 over turns, the embedder alone, and plain reciprocal rank fusion. */

type Ranking = number[];

function terms(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Okapi BM25 with the usual k1 = 1.2 and b = 0.75 over plain lower-case words, stop words included. */
export function bm25Ranker(texts: readonly string[]): (query: string) => Ranking {
  const documents = texts.map((text) => {
    const counts = new Map<string, number>();
    const words = terms(text);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const frequency = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const average = documents.reduce((sum, document) => sum + document.length, 0) / Math.max(documents.length, 1);
  return (query) => {
    const wanted = new Set(terms(query));
    const scores = documents.map(({ counts, length }) => {
      let score = 0;
      for (const word of wanted) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const n = frequency.get(word)!;
        const rarity = Math.log(1 + (documents.length - n + 0.5) / (n + 0.5));
        score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return score;
    });
    return order(scores);
  };
}

export function denseRanker(vectors: readonly Float32Array[]): (query: Float32Array) => Ranking {
  return (query) =>
    order(
      vectors.map((vector) => {
        let dot = 0;
        for (let i = 0; i < vector.length; i++) dot += vector[i]! * query[i]!;
        return dot;
      }),
    );
}

/** Reciprocal rank fusion with k = 60. */
export function reciprocal(rankings: readonly Ranking[]): Ranking {
  const scores = new Array<number>(rankings[0]?.length ?? 0).fill(0);
  for (const ranking of rankings) {
    ranking.forEach((document, rank) => {
      scores[document]! += 1 / (60 + rank + 1);
    });
  }
  return order(scores);
}

function order(scores: readonly number[]): Ranking {
  return scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
}

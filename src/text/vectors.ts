/** Dot product; of unit-norm embeddings, the cosine similarity in [-1, 1]. */
export function cosine(left: Float32Array, right: Float32Array): number {
  // Four sums at a time: each addition to one has to wait for the one before.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  for (; i + 3 < left.length; i += 4) {
    a += left[i]! * right[i]!
    b += left[i + 1]! * right[i + 1]!
    c += left[i + 2]! * right[i + 2]!
    d += left[i + 3]! * right[i + 3]!
  }
  for (; i < left.length; i++) a += left[i]! * right[i]!
  return a + b + c + d
}

/** Mean direction; the zero vector of nothing. */
export function meanOf(embeddings: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(embeddings[0]?.length ?? 0)
  for (const embedding of embeddings) embedding.forEach((value, i) => (sum[i]! += value))
  return sum.map((value) => value / embeddings.length)
}

/** The vector at length 1; one of length 0 as it is. */
export function unitNorm(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector)
  return norm === 0 ? vector : vector.map((value) => value / norm)
}

/** The same function with a memory: it computes once for each vector, and forgets with the vector what came of it. */
export function oncePerVector(
  compute: (vector: Float32Array) => Float32Array,
): (vector: Float32Array) => Float32Array {
  const computed = new WeakMap<Float32Array, Float32Array>()
  return (vector) => {
    const known = computed.get(vector)
    if (known) return known
    const result = compute(vector)
    computed.set(vector, result)
    return result
  }
}

/** Dot product; of unit-norm embeddings, the cosine similarity in [-1, 1]. */
export function cosine(left: Float32Array, right: Float32Array): number {
  // Four independent sums, because each addition waits for the previous one of the same sum.
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

/** The mean of embeddings of the same length; an empty vector for none. */
export function meanOf(embeddings: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(embeddings[0]?.length ?? 0)
  for (const embedding of embeddings) embedding.forEach((value, i) => (sum[i]! += value))
  return sum.map((value) => value / embeddings.length)
}

/** The vector scaled to length 1; a zero vector stays as it is. */
export function unitNorm(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector)
  return norm === 0 ? vector : vector.map((value) => value / norm)
}

/** Memoizes a function by vector identity. A result is released together with its vector. */
export function memoizePerVector(
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

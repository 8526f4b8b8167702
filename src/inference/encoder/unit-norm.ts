/**
 * Scales a vector to unit norm.
 * @throws RangeError for a vector without direction: zero, or not finite
 */
export function toUnitNorm(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  if (!(norm > 0 && norm < Infinity)) throw new RangeError('the model gave no embedding')
  return vector.map((value) => value / norm)
}

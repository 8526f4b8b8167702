import { photoReferenceSchema, type PhotoReference } from '../../src/photos/photo-reference.js'

/** A reference as the request parser hands it on. */
export function photoAt(reference: string): PhotoReference {
  return photoReferenceSchema.parse(reference)
}

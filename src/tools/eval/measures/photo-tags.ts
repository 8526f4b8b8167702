import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { AppContext } from '../../../context.js'
import { startUpCall } from '../../../inference/inference-call.js'
import type { PhotoReference } from '../../../photos/photo-reference.js'
import { seePhotos, type SeenPhoto } from '../../../profile/see-photos.js'
import { contentStems } from '../../../text/words.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { computeMetric, computeShare } from '../metrics.js'
import type { Measure } from './measure.js'

/** Every tag that is right for the bundled photos. */
const BUNDLED_PHOTOS = {
  'astronaut.jpg': ['astronaut', 'portrait', 'space'],
  'cat.jpg': ['cat', 'tabby cat', 'kitten', 'pet'],
  'coffee.jpg': ['coffee', 'coffee cup', 'espresso', 'latte art', 'drink'],
  'flower.jpg': ['flower', 'flowers', 'poppy', 'garden', 'plant'],
  'rocket.jpg': ['rocket', 'rocket launch', 'space'],
  'temple.jpg': ['temple', 'ancient ruins', 'building', 'architecture', 'travel'],
}
const PHOTO_EXTENSIONS = ['.jpg', '.jpeg', '.png', '.webp', '.gif', '.avif']
const TOP = 3
const EXAMPLES = 100

interface LabelledPhoto {
  file: string
  rightTags: readonly string[]
}
interface TaggedPhoto extends LabelledPhoto {
  /** Asserted by the tagger, most probable first. */
  tags: string[]
}

/** Which tags the tagger asserts, and how often they are wrong. */
export const photoTags: Measure = {
  name: 'photo-tags',
  title: 'Photo tags',
  about:
    'The bundled photos or, with --photos, a folder with one sub-folder of photos for each tag. A tag is right if it is the name of the folder or shares a word with it.',
  async run({ service, photosFolder, withProgress, seed }) {
    const photos = photosFolder === undefined ? listBundledPhotos() : listPhotos(photosFolder)
    const rows: TaggedPhoto[] = []
    for (const photo of withProgress(photos)) {
      const [seen] = await see(service.context, readPhoto(photo.file)).catch(() => [])
      rows.push({ ...photo, tags: seen?.tags.map(({ definition }) => definition.tag) ?? [] })
    }
    const sample = { rows, seed }
    return {
      metrics: [
        computeMetric('precision_at_3', `precision of the first ${TOP} tags`, {
          ...sample,
          statistic: precisionAtTop,
          unit: 'share',
        }),
        computeShare('wrong', 'photos with a wrong tag', {
          ...sample,
          holds: (photo) => photo.tags.some((tag) => !isRight(photo, tag)),
        }),
        computeShare('right', 'photos with a right tag', {
          ...sample,
          holds: (photo) => photo.tags.some((tag) => isRight(photo, tag)),
        }),
        computeShare('silent', 'photos without a tag', {
          ...sample,
          holds: ({ tags }) => tags.length === 0,
        }),
      ],
      tables: [
        {
          title: 'Tags',
          columns: ['photo', 'asserted', 'wrong'],
          rows: rows
            .slice(0, EXAMPLES)
            .map((photo) => [
              path.relative(photosFolder ?? PROJECT_FOLDER, photo.file),
              photo.tags.join(', ') || '–',
              photo.tags.filter((tag) => !isRight(photo, tag)).join(', '),
            ]),
        },
      ],
    }
  },
}

function listBundledPhotos(): LabelledPhoto[] {
  return Object.entries(BUNDLED_PHOTOS).map(([name, rightTags]) => ({
    file: path.join(PROJECT_FOLDER, 'examples', 'photos', name),
    rightTags,
  }))
}

/** Lists the photos in the sub-folders of a folder; each sub-folder is named after the right tag. */
function listPhotos(folder: string): LabelledPhoto[] {
  return readdirSync(folder)
    .filter((tag) => statSync(path.join(folder, tag)).isDirectory())
    .sort()
    .flatMap((tag) =>
      readdirSync(path.join(folder, tag))
        .filter((name) => PHOTO_EXTENSIONS.includes(path.extname(name).toLowerCase()))
        .sort()
        .map((name) => ({
          file: path.join(folder, tag, name),
          rightTags: [tag.replaceAll(/[_-]/g, ' ')],
        })),
    )
}

function readPhoto(file: string): PhotoReference {
  return { kind: 'inline', base64: readFileSync(file).toString('base64') }
}

function precisionAtTop(photos: readonly TaggedPhoto[]): number {
  const outcomes = photos.flatMap((photo) =>
    photo.tags.slice(0, TOP).map((tag) => isRight(photo, tag)),
  )
  return outcomes.filter(Boolean).length / outcomes.length
}

function isRight({ rightTags }: LabelledPhoto, tag: string): boolean {
  const stems = contentStems(tag)
  return rightTags.some(
    (right) => right === tag || [...contentStems(right)].some((stem) => stems.has(stem)),
  )
}

async function see(context: AppContext, reference: PhotoReference): Promise<SeenPhoto[]> {
  const call = startUpCall()
  const photos = await context.photos.load({ photo: [reference] }, call)
  return seePhotos(context, { photos, field: 'photo' }, call)
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { startUpCall } from '../../../dist/inference/call.js'
import { seePhotos } from '../../../dist/profile/see-photos.js'
import { contentStems } from '../../../dist/text/words.js'
import { projectDir } from '../../prepare.js'
import { metricOf, shareOf } from '../metrics.js'

/** What may be said of the bundled photos; anything else is wrong. */
const BUNDLED = {
  'astronaut.jpg': ['astronaut', 'portrait', 'space'],
  'cat.jpg': ['cat', 'tabby cat', 'kitten', 'pet'],
  'coffee.jpg': ['coffee', 'coffee cup', 'espresso', 'latte art', 'drink'],
  'flower.jpg': ['flower', 'flowers', 'poppy', 'garden', 'plant'],
  'rocket.jpg': ['rocket', 'rocket launch', 'space'],
  'temple.jpg': ['temple', 'ancient ruins', 'building', 'architecture', 'travel'],
}
const MIME = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.png': 'png',
  '.webp': 'webp',
  '.gif': 'gif',
  '.avif': 'avif',
}
const TOP = 3

/** @typedef {{ file: string, right: readonly string[] }} Sample */
/** @typedef {{ sample: Sample, tags: string[] }} Tagged */

/** What the tagger asserts about photos, and how often it is wrong. */
export const photoTags = {
  name: 'photo-tags',
  title: 'Photo tags',
  about:
    'The bundled photos, or with --photos a folder that has a sub-folder of photos for each tag. A tag is right when it is what the folder is called, or shares a word with it.',
  async run(
    /** @type {import('./all-measures.js').Task} */ { service, photosDir, progress, seed },
  ) {
    const samples = photosDir === undefined ? bundledSamples() : listSamples(photosDir)
    /** @type {Tagged[]} */
    const rows = []
    for (const sample of progress(samples)) {
      const references = [dataUrl(sample.file)]
      const [photo] = await seePhotos(
        service.context,
        { references, label: 'photo' },
        startUpCall(),
      ).catch(() => [undefined])
      rows.push({ sample, tags: photo?.tags.map((tag) => tag.definition.tag) ?? [] })
    }
    return {
      metrics: [
        metricOf('precision_at_3', `precision of the first ${TOP} tags`, {
          rows,
          statistic: (some) => {
            const first = some.flatMap((row) =>
              row.tags.slice(0, TOP).map((tag) => isWrong(row, tag)),
            )
            return first.filter((wrong) => !wrong).length / first.length
          },
          seed,
          unit: 'share',
        }),
        shareOf('wrong', 'photos with a wrong tag asserted', {
          rows,
          holds: (row) => row.tags.some((tag) => isWrong(row, tag)),
          seed,
        }),
        shareOf('right', 'photos with a right tag asserted', {
          rows,
          holds: (row) => row.tags.some((tag) => !isWrong(row, tag)),
          seed,
        }),
        shareOf('silent', 'photos with no tag asserted', {
          rows,
          holds: (row) => row.tags.length === 0,
          seed,
        }),
      ],
      plots: [],
      tables: [
        {
          title: 'Tags',
          columns: ['photo', 'asserted', 'wrong'],
          rows: rows
            .slice(0, 100)
            .map((row) => [
              path.relative(photosDir ?? projectDir, row.sample.file),
              row.tags.join(', ') || '–',
              row.tags.filter((tag) => isWrong(row, tag)).join(', '),
            ]),
        },
      ],
    }
  },
}

/** @returns {Sample[]} */
function bundledSamples() {
  return Object.entries(BUNDLED).map(([name, right]) => ({
    file: path.join(projectDir, 'examples', 'photos', name),
    right,
  }))
}

/** @returns {Sample[]} every photo of a folder-per-tag layout */
function listSamples(/** @type {string} */ folder) {
  return readdirSync(folder)
    .filter((tag) => statSync(path.join(folder, tag)).isDirectory())
    .sort()
    .flatMap((tag) =>
      readdirSync(path.join(folder, tag))
        .filter((name) => path.extname(name).toLowerCase() in MIME)
        .sort()
        .map((name) => ({
          file: path.join(folder, tag, name),
          right: [tag.replaceAll(/[_-]/g, ' ')],
        })),
    )
}

function dataUrl(/** @type {string} */ file) {
  const type = MIME[/** @type {keyof typeof MIME} */ (path.extname(file).toLowerCase())]
  return `data:image/${type};base64,${readFileSync(file).toString('base64')}`
}

function isWrong(/** @type {Tagged} */ { sample }, /** @type {string} */ tag) {
  const stems = contentStems(tag)
  return !sample.right.some(
    (right) => right === tag || [...contentStems(right)].some((stem) => stems.has(stem)),
  )
}

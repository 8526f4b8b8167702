import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Bundles what the portal sends to browsers: each module in `src/portal/browser` is an entry, `portal.css` is the one
 * style sheet. Names carry a hash of the content; `manifest.json` gives them by source name. Scripts and style lie beside
 * their compressed forms; photos that a module imports are copied.
 *
 * Usage: node scripts/build-portal.js OUTPUT_FOLDER
 */

const [, , output = path.join('dist', 'portal', 'assets')] = process.argv
const BROWSER = path.join('src', 'portal', 'browser')

const modules = readdirSync(BROWSER, { withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(BROWSER, entry.name))

const { metafile } = await build({
  entryPoints: [...modules, path.join('src', 'portal', 'styles', 'portal.css')],
  outdir: output,
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.jpg': 'file' },
  publicPath: '/portal/assets',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'eof',
  tsconfig: path.join(BROWSER, 'tsconfig.json'),
  metafile: true,
  logLevel: 'warning',
})

/** @type {Record<string, string>} */
const manifest = {}
for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
  if (entryPoint) manifest[path.basename(entryPoint)] = path.basename(file)
  if (/\.(?:js|css)$/.test(file)) compress(file)
}
mkdirSync(output, { recursive: true })
writeFileSync(path.join(output, 'manifest.json'), JSON.stringify(manifest, null, 2))

function compress(/** @type {string} */ file) {
  const bytes = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
}

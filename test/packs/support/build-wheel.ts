import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

export interface TestWheel {
  package: string
  version: string
  /** The file in the wheel. */
  path: string
  content: Uint8Array
  /** Further lines of its metadata. */
  metadata?: readonly string[]
}

/** A wheel with a file, and one of code that must not run. */
const BUILD = `
import sys, zipfile
content, name, version, file, wheel, *metadata = sys.argv[1:]
info = f'{name.replace("-", "_")}-{version}.dist-info/'
lines = ['Metadata-Version: 2.1', f'Name: {name}', f'Version: {version}', *metadata, '']
with zipfile.ZipFile(wheel, 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.write(content, file)
    archive.writestr('tiny/other.py', 'raise SystemExit')
    archive.writestr(info + 'METADATA', '\\n'.join(lines))
    archive.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    archive.writestr(info + 'RECORD', '')
`

/** Builds the wheel of a Python package in a folder that pip may search. */
export async function buildWheel(index: string, wheel: TestWheel): Promise<void> {
  const { package: name, version, content, metadata = [] } = wheel
  const file = path.join(index, 'content')
  await writeFile(file, content)
  const args = [file, name, version, wheel.path, wheelPath(index, wheel), ...metadata]
  await promisify(execFile)('python3', ['-c', BUILD, ...args])
  await rm(file)
}

export function wheelPath(index: string, wheel: Pick<TestWheel, 'package' | 'version'>): string {
  return path.join(index, `${wheel.package.replaceAll('-', '_')}-${wheel.version}-py3-none-any.whl`)
}

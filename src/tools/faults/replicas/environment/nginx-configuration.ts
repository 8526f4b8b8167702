const REPLICA = /^ *server [\d.]+:8080(.*);\n/gm

export interface NginxPlace {
  /** Replaces `/tmp`. */
  folder: string
  /** Port on the loopback interface where nginx listens, without TLS. */
  port: number
  /** Ports of the replicas on the loopback interface. */
  replicaPorts: readonly number[]
}

/**
 * Moves ops/nginx/replicas.conf to other addresses and a folder, and takes TLS out of it. Every rule about replicas stays as it
 * is.
 * @throws when the text has not the parts that are replaced
 */
export function adaptNginxConfiguration(
  text: string,
  { folder, port, replicaPorts }: NginxPlace,
): string {
  const [, rules] = [...text.matchAll(REPLICA)][0] ?? []
  if (rules === undefined) throw new Error('ops/nginx/replicas.conf names no replica.')
  const replicas = replicaPorts.map((each) => `server 127.0.0.1:${each}${rules};\n`).join('')
  let isFirst = true
  const onReplicas = text.replaceAll(REPLICA, () => {
    const servers = isFirst ? replicas : ''
    isFirst = false
    return servers
  })
  return (
    [
      [/\/tmp\//g, `${folder}/`],
      [/error_log stderr/g, `error_log ${folder}/error.log`],
      [/\/dev\/stdout/g, `${folder}/access.log`],
      [/listen 8443 ssl/g, `listen 127.0.0.1:${port}`],
      [/^ *(?:ssl_\w+|add_header Strict-Transport-Security) .*;\n/gm, ''],
    ] as const
  ).reduce((before, [pattern, value]) => {
    const after = before.replaceAll(pattern, value)
    if (after === before) throw new Error(`ops/nginx/replicas.conf has no ${pattern.source}.`)
    return after
  }, onReplicas)
}

// eslint-disable-next-line import/no-default-export -- jest expects one
export default async function stop() {
  await globalThis.stopTestPostgres?.()
}

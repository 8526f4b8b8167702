export function watchCores(serverPid: number): () => Record<string, number>

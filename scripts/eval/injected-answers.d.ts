export interface Injection {
  kind: string
  language: string
  text: string
}
export function readInjections(): Injection[]
export function listChanges(
  text: string,
): ('format' | 'recipient' | 'language' | 'prompt' | 'obeyed')[]

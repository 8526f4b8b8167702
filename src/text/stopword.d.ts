declare module 'stopword' {
  type StopWords = readonly string[]
  export const deu: StopWords
  export const eng: StopWords
  export const fra: StopWords
  export const ita: StopWords
  export const nld: StopWords
  export const pol: StopWords
  export const por: StopWords
  export const rus: StopWords
  export const spa: StopWords
  export const tur: StopWords
}

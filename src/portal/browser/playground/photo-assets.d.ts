/** The bundler copies imported photos beside the scripts and returns their URLs. */
declare module '*.jpg' {
  const url: string
  export default url
}

/** The bundler puts photos beside the scripts and gives their address. */
declare module '*.jpg' {
  const url: string
  export default url
}

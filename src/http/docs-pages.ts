import { createRequire } from 'node:module'
import path from 'node:path'
import express, { type RequestHandler, type Router } from 'express'
import helmet from 'helmet'

const VIEWER_FOLDER = path.dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
)
const VIEWER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']

/** The API documentation for people at `/docs`: Swagger UI from this host alone, which loads `/openapi.json`. */
export function docsPages(): Router {
  const router = express.Router()
  router.use(helmet.contentSecurityPolicy(PAGE_POLICY))
  router.get('/', send('html', PAGE))
  router.get('/start-viewer.js', send('js', START_VIEWER))
  router.get('/page.css', send('css', STYLE))
  for (const file of VIEWER_FILES) {
    router.get(`/${file}`, (_request, response) => response.sendFile(file, { root: VIEWER_FOLDER }))
  }
  return router
}

/** Nothing inline and nothing from elsewhere, but the icons that Swagger UI's style sheet holds as `data:` URLs. */
const PAGE_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
}

function send(type: string, text: string): RequestHandler {
  return (_request, response) => {
    response.type(type).send(text)
  }
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Profile Intelligence Service: API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start-viewer.js" defer></script>
  </head>
  <body>
    <main id="viewer"></main>
    <noscript>This page needs JavaScript. The description itself is <a href="/openapi.json">openapi.json</a>.</noscript>
  </body>
</html>
`

const START_VIEWER = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // By default Swagger UI asks a host on the internet to validate the description.
  validatorUrl: null,
})
`

const STYLE = `body { margin: 0 }
noscript { display: block; padding: 2em; font-family: sans-serif }
.swagger-ui .info { margin: 30px 0 }
.swagger-ui .info hgroup.main a { display: none }
.swagger-ui .scheme-container { padding: 15px 0 }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: inherit; font-size: 0.9em; font-weight: 500; overflow-wrap: anywhere }
.swagger-ui .renderedMarkdown summary { cursor: pointer; font-weight: 600 }
.swagger-ui .renderedMarkdown table { display: block; overflow-x: auto }
.swagger-ui .renderedMarkdown table td { min-width: 0; padding: 6px 16px 6px 0 }
.swagger-ui .renderedMarkdown table td:nth-child(3) { min-width: 200px }
.swagger-ui .renderedMarkdown table code { white-space: nowrap }
.swagger-ui .headers-wrapper .header-col { font-family: sans-serif; font-weight: 400; text-align: left; padding: 4px 12px 4px 0 }
/* These repeat what the answer 200 and the text above the calls say of headers. */
.swagger-ui .response:is([data-code="400"], [data-code="401"], [data-code="403"], [data-code="413"], [data-code="415"], [data-code="500"]) .headers-wrapper { display: none }
.swagger-ui .responses-table .response-col_links { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px }
  .swagger-ui .info .title { font-size: 26px }
  .swagger-ui .opblock .opblock-summary-method { min-width: 56px; padding: 6px 0 }
  .swagger-ui .opblock-section-header { flex-wrap: wrap }
  .swagger-ui table.headers, .swagger-ui table.headers tbody, .swagger-ui table.headers tr { display: block }
  .swagger-ui table.headers thead { display: none }
  .swagger-ui table.headers .header-col { display: block; padding: 0 }
  .swagger-ui table.headers .header-col:first-child { font-weight: 600; padding-top: 8px }
  .swagger-ui .response-col_status { min-width: 40px }
}
`

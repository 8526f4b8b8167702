/** Style sheet of the report. */
export const STYLE = `
:root { color-scheme: light; --ink: #1f2937; --line: #e5e7eb; --quiet: #6b7280; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; }
main { max-width: 1040px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 28px; margin: 0 0 12px; }
h2 { font-size: 20px; margin: 40px 0 4px; padding-top: 16px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 20px 0 8px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; font-size: 14px; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.note { color: var(--quiet); font-size: 14px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
tbody th { font-weight: normal; }
table.text td { min-width: 120px; }
.met::after { content: ' ✓'; color: #15803d; }
.missed::after { content: ' ✗'; color: #b91c1c; }
.figures { display: flex; flex-wrap: wrap; gap: 16px; margin: 16px 0; }
figure { margin: 0; max-width: 100%; overflow-x: auto; }
figcaption { font-size: 13px; color: var(--quiet); max-width: 440px; }
summary { cursor: pointer; margin: 12px 0; }
`

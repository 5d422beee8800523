// One thing: the parts of every drawing of the demo school, as SVG.

/** The size of a picture, in pixels. */
export const [WIDTH, HEIGHT] = [1500, 1000]

export const at = (x: number, y: number, turn: number, inside: string, scale = 1): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${inside}</g>`

export const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

// Numbers from 0 to 1 that look random and are the same at every run.
export const scatter = (seed: number): number => {
  const value = Math.sin(seed * 127.1 + 11.7) * 43_758.5453
  return value - Math.floor(value)
}

export const DEFINITIONS = `<defs>
<radialGradient id="crust" cx="0.38" cy="0.3" r="0.8">
<stop offset="0" stop-color="#f0bd76"/><stop offset="0.45" stop-color="#d08a42"/><stop offset="0.8" stop-color="#a35a22"/><stop offset="1" stop-color="#763a12"/>
</radialGradient>
<radialGradient id="gold" cx="0.4" cy="0.25" r="0.9">
<stop offset="0" stop-color="#fbd691"/><stop offset="0.5" stop-color="#e5a552"/><stop offset="1" stop-color="#b56f28"/>
</radialGradient>
<linearGradient id="stick" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#efba72"/><stop offset="0.5" stop-color="#cd8640"/><stop offset="1" stop-color="#8b491a"/>
</linearGradient>
<linearGradient id="wood" x1="0" y1="0" x2="1" y2="0.25">
<stop offset="0" stop-color="#c99a67"/><stop offset="0.5" stop-color="#b98652"/><stop offset="1" stop-color="#a87543"/>
</linearGradient>
<linearGradient id="glass" x1="0" y1="0" x2="1" y2="0">
<stop offset="0" stop-color="#ffffff" stop-opacity="0.55"/><stop offset="0.25" stop-color="#ffffff" stop-opacity="0.12"/><stop offset="0.8" stop-color="#ffffff" stop-opacity="0.08"/><stop offset="1" stop-color="#ffffff" stop-opacity="0.4"/>
</linearGradient>
<filter id="shadow" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="22"/></filter>
<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="7"/></filter>
<filter id="flour" x="0" y="0" width="100%" height="100%">
<feTurbulence type="fractalNoise" baseFrequency="0.03 0.045" numOctaves="5" seed="7"/>
<feColorMatrix values="0 0 0 0 1  0 0 0 0 0.97  0 0 0 0 0.9  0 0 0 3.4 -1.75"/>
<feComposite in2="SourceGraphic" operator="in"/>
</filter>
<filter id="grain" x="0" y="0" width="100%" height="100%">
<feTurbulence type="fractalNoise" baseFrequency="0.75" numOctaves="2" seed="3"/>
<feColorMatrix values="0 0 0 0 0.2  0 0 0 0 0.12  0 0 0 0 0.05  0 0 0 0.5 -0.2"/>
<feComposite in2="SourceGraphic" operator="in"/>
</filter>
</defs>`

export const table = (color: string, dark: string): string =>
  `<radialGradient id="table" cx="0.35" cy="0.25" r="1"><stop offset="0" stop-color="${color}"/><stop offset="1" stop-color="${dark}"/></radialGradient>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#table)"/><rect width="${WIDTH}" height="${HEIGHT}" fill="#000" filter="url(#grain)" opacity="0.28"/>`

export const renderShadow = (shape: string, dx = 18, dy = 30, opacity = 0.42): string =>
  `<g transform="translate(${dx} ${dy})" filter="url(#shadow)" opacity="${opacity}" fill="#2a1204">${shape}</g>`

// Flour that fell on the table: many small specks around a point.
export const dust = (x: number, y: number, spread: number, count: number, seed: number): string =>
  times(count, index => {
    const [turn, far] = [scatter(seed + index) * 6.283, scatter(seed + index + 500) ** 1.6 * spread]
    const size = 0.8 + scatter(seed + index + 900) * 3.4
    return `<circle cx="${x + Math.cos(turn) * far}" cy="${y + Math.sin(turn) * far * 0.75}" r="${size}" fill="#fff8ea" opacity="${0.25 + scatter(seed + index + 70) * 0.6}"/>`
  })

const kernel = (length: number, fill: string): string =>
  `<path d="M0 0C${length * 0.5} ${-length * 0.34} ${length} ${-length * 0.2} ${length * 1.15} 0C${length} ${length * 0.2} ${length * 0.5} ${length * 0.34} 0 0Z" fill="${fill}"/>`

export const ear = (): string =>
  `<path d="M0 0C-10 150 8 300 -14 520" stroke="#b5873f" stroke-width="7" fill="none" stroke-linecap="round"/>${times(
    7,
    index => {
      const [y, size] = [index * 36 - 20, 50 - index * 1.5]
      return (
        at(0, y, -58, kernel(size, index % 2 === 0 ? '#e6bb62' : '#dcae53')) +
        at(0, y, -122, kernel(size, index % 2 === 0 ? '#d2a045' : '#dcae53')) +
        `<path d="M16 ${y - 30}L66 ${y - 138}M-16 ${y - 30}L-66 ${y - 138}" stroke="#d9b468" stroke-width="2.4" stroke-linecap="round"/>`
      )
    },
  )}${at(0, -34, -90, kernel(54, '#e6bb62'))}`

export const wheat = (x: number, y: number, turn: number, scale: number): string =>
  at(x, y, turn, `<g filter="url(#soft)" opacity="0.3" transform="translate(14 20)">${ear()}</g>${ear()}`, scale)

export const cloth = (x: number, y: number, turn: number, color: string, stripe: string): string => {
  const [width, height] = [760, 900]
  const shape = `<path d="M0 12Q${width / 2} -14 ${width} 6Q${width + 14} ${height / 2} ${width - 8} ${height}Q${width / 2} ${height + 16} 6 ${height - 8}Q-12 ${height / 2} 0 12Z"/>`
  const lines = [70, 100, 118, 640, 670, 688]
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 10, 16, 0.35)}<g fill="${color}">${shape}</g>${lines
      .map(
        (line, index) =>
          `<path d="M${line} 4V${height}" stroke="${stripe}" stroke-width="${index % 3 === 1 ? 12 : 5}" opacity="0.75"/>`,
      )
      .join('')}<g filter="url(#grain)" opacity="0.35">${shape}</g>
<path d="M240 0Q300 420 200 ${height}M470 0Q420 500 520 ${height}" stroke="#fff" stroke-width="26" opacity="0.16" fill="none" filter="url(#soft)"/>`,
  )
}

export const board = (x: number, y: number, width: number, height: number, turn: number): string => {
  const shape = `<rect x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" rx="54"/><rect x="${width / 2 - 30}" y="-52" width="210" height="104" rx="52"/>`
  const lines = times(9, index => {
    const line = -height / 2 + 30 + (index * (height - 60)) / 8
    return `<path d="M${-width / 2 + 22} ${line}C${-width / 6} ${line + 22 * (scatter(index) - 0.5)} ${width / 6} ${line - 26 * (scatter(index + 9) - 0.5)} ${width / 2 - 24} ${line + 6}" stroke="#8a5a2c" stroke-width="${1.5 + scatter(index + 4) * 2.5}" fill="none" opacity="0.4"/>`
  })
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape)}<g fill="url(#wood)">${shape}</g>${lines}<circle cx="${width / 2 + 128}" cy="0" r="21" fill="#6a4520" opacity="0.75"/>`,
  )
}

// A cut in the crust: light inside, with a dark edge.
export const cut = (path: string, width: number): string =>
  `<path d="${path}" stroke="#6d3410" stroke-width="${width + 9}" fill="none" stroke-linecap="round" opacity="0.75"/><path d="${path}" stroke="#f5dcae" stroke-width="${width}" fill="none" stroke-linecap="round"/><path d="${path}" stroke="#fff3d8" stroke-width="${width * 0.35}" fill="none" stroke-linecap="round"/>`

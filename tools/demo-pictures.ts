// One thing: the drawings of the demo school, which `node tools/demo-pictures.ts` writes to src/demo/files/pictures.
import { join } from 'node:path'
import sharp from 'sharp'

const [WIDTH, HEIGHT] = [1500, 1000]
const FOLDER = join(import.meta.dirname, '../src/demo/files/pictures')

const at = (x: number, y: number, turn: number, inside: string, scale = 1): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${inside}</g>`

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

// Numbers from 0 to 1 that look random and are the same at every run.
const scatter = (seed: number): number => {
  const value = Math.sin(seed * 127.1 + 11.7) * 43_758.5453
  return value - Math.floor(value)
}

const DEFINITIONS = `<defs>
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

const table = (color: string, dark: string): string =>
  `<radialGradient id="table" cx="0.35" cy="0.25" r="1"><stop offset="0" stop-color="${color}"/><stop offset="1" stop-color="${dark}"/></radialGradient>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#table)"/><rect width="${WIDTH}" height="${HEIGHT}" fill="#000" filter="url(#grain)" opacity="0.28"/>`

const renderShadow = (shape: string, dx = 18, dy = 30, opacity = 0.42): string =>
  `<g transform="translate(${dx} ${dy})" filter="url(#shadow)" opacity="${opacity}" fill="#2a1204">${shape}</g>`

// Flour that fell on the table: many small specks around a point.
const dust = (x: number, y: number, spread: number, count: number, seed: number): string =>
  times(count, index => {
    const [turn, far] = [scatter(seed + index) * 6.283, scatter(seed + index + 500) ** 1.6 * spread]
    const size = 0.8 + scatter(seed + index + 900) * 3.4
    return `<circle cx="${x + Math.cos(turn) * far}" cy="${y + Math.sin(turn) * far * 0.75}" r="${size}" fill="#fff8ea" opacity="${0.25 + scatter(seed + index + 70) * 0.6}"/>`
  })

const kernel = (length: number, fill: string): string =>
  `<path d="M0 0C${length * 0.5} ${-length * 0.34} ${length} ${-length * 0.2} ${length * 1.15} 0C${length} ${length * 0.2} ${length * 0.5} ${length * 0.34} 0 0Z" fill="${fill}"/>`

const ear = (): string =>
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

const wheat = (x: number, y: number, turn: number, scale: number): string =>
  at(x, y, turn, `<g filter="url(#soft)" opacity="0.3" transform="translate(14 20)">${ear()}</g>${ear()}`, scale)

const cloth = (x: number, y: number, turn: number, color: string, stripe: string): string => {
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

const board = (x: number, y: number, width: number, height: number, turn: number): string => {
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
const cut = (path: string, width: number): string =>
  `<path d="${path}" stroke="#6d3410" stroke-width="${width + 9}" fill="none" stroke-linecap="round" opacity="0.75"/><path d="${path}" stroke="#f5dcae" stroke-width="${width}" fill="none" stroke-linecap="round"/><path d="${path}" stroke="#fff3d8" stroke-width="${width * 0.35}" fill="none" stroke-linecap="round"/>`

const boule = (x: number, y: number, radius: number): string => {
  const shape = `<path d="M0 ${-radius}C${radius * 0.58} ${-radius * 1.01} ${radius * 1.04} ${-radius * 0.52} ${radius} ${radius * 0.03}C${radius * 0.98} ${radius * 0.6} ${radius * 0.52} ${radius} ${-radius * 0.02} ${radius}C${-radius * 0.6} ${radius * 0.98} ${-radius} ${radius * 0.5} ${-radius} 0C${-radius * 1.02} ${-radius * 0.56} ${-radius * 0.55} ${-radius} 0 ${-radius}Z"/>`
  const leaf = (side: 1 | -1) =>
    times(5, index => {
      const [base, reach] = [radius * (0.52 - index * 0.24), radius * (0.56 - Math.abs(index - 1.6) * 0.07)]
      return cut(`M${side * 26} ${base}Q${side * reach * 0.6} ${base - 22} ${side * reach} ${base - radius * 0.24}`, 15)
    })
  return at(
    x,
    y,
    -14,
    `${renderShadow(shape, 26, 42, 0.55)}<g fill="url(#crust)">${shape}</g><g filter="url(#grain)" opacity="0.5">${shape}</g><g filter="url(#flour)" opacity="0.62">${shape}</g>${cut(`M0 ${radius * 0.74}Q10 0 0 ${-radius * 0.72}`, 18)}${leaf(1)}${leaf(-1)}`,
  )
}

const batard = (x: number, y: number, turn: number, scale: number): string => {
  const shape =
    '<path d="M-380 0C-380 -120 -210 -205 0 -205C210 -205 380 -120 380 0C380 120 210 200 0 200C-210 200 -380 120 -380 0Z"/>'
  const cuts = [-190, -65, 65, 190].map(line => cut(`M${line - 52} 118Q${line - 26} 0 ${line + 52} -122`, 22)).join('')
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 22, 40, 0.5)}<g fill="url(#gold)">${shape}</g><g filter="url(#grain)" opacity="0.4">${shape}</g>${cuts}<g filter="url(#flour)" opacity="0.45">${shape}</g>`,
    scale,
  )
}

const baguette = (x: number, y: number, turn: number): string => {
  const shape =
    '<path d="M-560 0C-560 -52 -470 -88 -330 -92L330 -92C470 -88 560 -52 560 0C560 52 470 90 330 92L-330 92C-470 90 -560 52 -560 0Z"/>'
  const cuts = times(5, index => {
    const line = -400 + index * 200
    return cut(`M${line - 76} 34Q${line - 10} -6 ${line + 84} -40`, 25)
  })
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 16, 30, 0.5)}<g fill="url(#stick)">${shape}</g><g filter="url(#grain)" opacity="0.4">${shape}</g>${cuts}<g filter="url(#flour)" opacity="0.42">${shape}</g>`,
  )
}

const croissant = (x: number, y: number, turn: number, scale: number): string => {
  const rings = [-64, -45, -23, 0, 23, 45, 64]
  const sizes = [74, 110, 140, 156, 140, 110, 74]
  const part = (index: number): string => {
    const size = sizes[index] ?? 0
    return `<ellipse cx="0" cy="-250" rx="${size * 0.66}" ry="${size}"/>`
  }
  const whole = rings.map((ring, index) => at(0, 240, ring, part(index))).join('')
  const drawn = [0, 6, 1, 5, 2, 4, 3]
    .map(index => {
      const ring = rings[index] ?? 0
      const size = sizes[index] ?? 0
      return at(
        0,
        240,
        ring,
        `<g fill="url(#gold)">${part(index)}</g><g fill="none" stroke="#8d4b18" stroke-width="7" opacity="0.6">${part(index)}</g><path d="M${-size * 0.2} ${-250 - size * 0.72}Q${-size * 0.42} ${-250} ${-size * 0.2} ${-250 + size * 0.66}" stroke="#fff0cc" stroke-width="11" stroke-linecap="round" fill="none" opacity="0.6"/><path d="M${size * 0.18} ${-250 - size * 0.6}Q${size * 0.3} -250 ${size * 0.16} ${-250 + size * 0.6}" stroke="#a55f22" stroke-width="9" stroke-linecap="round" fill="none" opacity="0.4"/>`,
      )
    })
    .join('')
  return at(x, y, turn, `${renderShadow(whole, 18, 34, 0.5)}${drawn}`, scale)
}

const jar = (x: number, y: number): string => {
  const bubbles = times(46, index => {
    const [left, top, size] = [
      scatter(index + 3) * 270 - 135,
      scatter(index + 41) * 250 - 20,
      4 + scatter(index + 77) * 15,
    ]
    return `<circle cx="${left}" cy="${top}" r="${size}" fill="#fff6e0" opacity="${0.35 + scatter(index + 8) * 0.5}"/>`
  })
  const body = '<path d="M-170 -240H170V230Q170 280 120 280H-120Q-170 280 -170 230Z"/>'
  return at(
    x,
    y,
    0,
    `${renderShadow(body, 26, 26, 0.4)}<path d="M-160 -60Q-80 -92 0 -64Q80 -96 160 -60V228Q160 270 118 270H-118Q-160 270 -160 228Z" fill="#ecd3a4"/>${bubbles}<g fill="url(#glass)" stroke="#ffffff" stroke-opacity="0.6" stroke-width="6">${body}</g>
<rect x="-186" y="-300" width="372" height="76" rx="26" fill="#f7efe0" opacity="0.96"/><path d="M-186 -262H186" stroke="#cdb28a" stroke-width="4"/><path d="M-170 40H170" stroke="#8a3b12" stroke-width="11" opacity="0.85"/>`,
  )
}

// A notebook with a spine, a label and a drawing of wheat.
const notebook = (x: number, y: number, turn: number): string => {
  const shape = '<rect x="-270" y="-350" width="540" height="700" rx="26"/>'
  const lines = times(
    3,
    index =>
      `<path d="M-110 ${-196 + index * 34}H${130 - index * 44}" stroke="#8a3b12" stroke-width="9" opacity="0.7"/>`,
  )
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 24, 36, 0.5)}<rect x="-252" y="-338" width="540" height="700" rx="22" fill="#f4ead6"/><g fill="#b65a2c">${shape}</g><g filter="url(#grain)" opacity="0.4">${shape}</g><path d="M-196 -350V350" stroke="#7d3413" stroke-width="14" opacity="0.6"/><rect x="-140" y="-250" width="330" height="170" rx="14" fill="#fbf3e2"/>${lines}${at(40, 90, 10, ear(), 0.52)}`,
  )
}

const pencil = (x: number, y: number, turn: number): string =>
  at(
    x,
    y,
    turn,
    `${renderShadow('<rect x="-260" y="-17" width="520" height="34" rx="10"/>', 12, 18, 0.45)}<rect x="-260" y="-17" width="460" height="34" fill="#e0ae4c"/><rect x="-260" y="-6" width="460" height="12" fill="#c89236"/><path d="M200 -17L262 0L200 17Z" fill="#f3dfb8"/><path d="M240 -6L262 0L240 6Z" fill="#3a2a1c"/><rect x="-290" y="-17" width="36" height="34" rx="10" fill="#a5402a"/>`,
  )

// A round loaf of maize: pale, floury, with a surface that has cracked open by itself.
const broa = (x: number, y: number, radius: number): string => {
  const shape = `<circle r="${radius}"/>`
  const cracks = times(26, index => {
    const [turn, far] = [scatter(index + 610) * 6.283, (0.15 + scatter(index + 640) * 0.7) * radius]
    const [left, top] = [Math.cos(turn) * far, Math.sin(turn) * far]
    const points = times(4, step => {
      const next = turn + 1.2 + (scatter(index * 7 + step) - 0.5) * 2.4
      return `L${left + Math.cos(next) * (step + 1) * 27} ${top + Math.sin(next) * (step + 1) * 27}`
    })
    return `<path d="M${left} ${top}${points}" stroke="#7b4312" stroke-width="${5 + scatter(index) * 12}" fill="none" stroke-linejoin="round" stroke-linecap="round" opacity="0.72"/>`
  })
  return at(
    x,
    y,
    8,
    `${renderShadow(shape, 24, 40, 0.55)}<g fill="url(#gold)">${shape}</g><clipPath id="broa">${shape}</clipPath><g clip-path="url(#broa)">${cracks}</g><g filter="url(#grain)" opacity="0.45">${shape}</g><g filter="url(#flour)" opacity="0.95">${shape}</g>`,
  )
}

const flatbread = (x: number, y: number, radius: number, seed: number): string => {
  const spots = times(22, index => {
    const [turn, far] = [scatter(seed + index) * 6.283, scatter(seed + index + 300) ** 0.6 * radius * 0.86]
    return `<ellipse cx="${Math.cos(turn) * far}" cy="${Math.sin(turn) * far}" rx="${8 + scatter(seed + index) * 26}" ry="${6 + scatter(seed + index + 9) * 18}" fill="#7a4418" opacity="${0.2 + scatter(seed + index + 50) * 0.5}"/>`
  })
  const shape = `<ellipse rx="${radius}" ry="${radius * 0.95}"/>`
  return at(
    x,
    y,
    seed,
    `${renderShadow(shape, 10, 16, 0.45)}<g fill="#f0d5a0">${shape}</g>${spots}<g filter="url(#flour)" opacity="0.4">${shape}</g>`,
  )
}

const skillet = (x: number, y: number): string => {
  const shape = '<circle r="370"/><rect x="330" y="-46" width="520" height="92" rx="46"/>'
  return at(
    x,
    y,
    -28,
    `${renderShadow(shape, 24, 40, 0.55)}<g fill="#2b2b2d">${shape}</g><circle r="330" fill="#37373a"/><circle r="330" fill="none" stroke="#4b4b50" stroke-width="10"/><circle cx="806" r="18" fill="#77777c"/>`,
  )
}

// An arch of stone with a fire behind the loaves.
const hearth = (stone: string, dark: string): string => {
  const stones = times(19, index => {
    const turn = Math.PI + (index * Math.PI) / 18
    return at(
      750 + Math.cos(turn) * 500,
      720 + Math.sin(turn) * 520,
      (turn * 180) / Math.PI + 90,
      `<rect x="-48" y="-66" width="92" height="132" rx="16" fill="${stone}" opacity="${0.75 + scatter(index) * 0.25}"/>`,
    )
  })
  const flames = times(12, index => {
    const [left, high] = [430 + index * 58, 170 + scatter(index + 20) * 190]
    return `<path d="M${left - 46} 700C${left - 60} ${700 - high * 0.5} ${left - 8} ${700 - high * 0.7} ${left} ${700 - high}C${left + 14} ${700 - high * 0.6} ${left + 60} ${700 - high * 0.4} ${left + 46} 700Z" fill="${index % 3 === 0 ? '#ffd27a' : '#f2913c'}" opacity="0.75" filter="url(#soft)"/>`
  })
  return `<rect width="${WIDTH}" height="${HEIGHT}" fill="${dark}"/><rect width="${WIDTH}" height="${HEIGHT}" filter="url(#grain)" opacity="0.5"/>${stones}
<radialGradient id="glow" cx="0.5" cy="0.85" r="0.8"><stop offset="0" stop-color="#ffcf73"/><stop offset="0.4" stop-color="#d96a20"/><stop offset="1" stop-color="#2a0f06"/></radialGradient>
<path d="M310 730V690A440 450 0 0 1 1190 690V730Z" fill="url(#glow)"/>${flames}<rect x="220" y="728" width="1060" height="56" rx="12" fill="${stone}"/>`
}

const sack = (x: number, y: number, turn: number, label: string): string => {
  const shape = '<path d="M-210 -300Q0 -340 210 -300L240 290Q0 330 -240 290Z"/>'
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 24, 36, 0.5)}<g fill="#d9c29a">${shape}</g><g filter="url(#grain)" opacity="0.5">${shape}</g><path d="M-212 -250Q0 -286 212 -250" stroke="#a9895a" stroke-width="10" fill="none" opacity="0.7"/><rect x="-140" y="-120" width="280" height="240" rx="18" fill="${label}"/>${at(0, 26, 0, ear(), 0.34)}`,
  )
}

const calendar = (x: number, y: number, turn: number): string => {
  const shape = '<rect x="-330" y="-360" width="660" height="720" rx="22"/>'
  const days = times(35, index => {
    const [left, top] = [-270 + (index % 7) * 90, -60 + Math.floor(index / 7) * 82]
    const fill = index % 7 === 5 ? '#b65a2c' : '#e7d9bd'
    return `<rect x="${left - 32}" y="${top - 28}" width="64" height="56" rx="10" fill="${fill}"/>`
  })
  const rings = times(8, index => `<circle cx="${-280 + index * 80}" cy="-352" r="15" fill="#4d5d57"/>`)
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 24, 36, 0.5)}<g fill="#fbf3e2">${shape}</g><path d="M-330 -338Q-330 -360 -308 -360H308Q330 -360 330 -338V-130H-330Z" fill="#8a3b12"/>${at(-40, -190, 80, ear(), 0.4)}${days}${rings}<g filter="url(#grain)" opacity="0.25">${shape}</g>`,
  )
}

const pictures: Readonly<Record<string, string>> = {
  kitchen: `${table('#4d5d57', '#232d2a')}${cloth(880, 120, 8, '#f3eadb', '#8a3b12')}${dust(700, 640, 760, 320, 210)}${board(560, 600, 900, 560, -6)}${boule(520, 540, 300)}${jar(1110, 480)}${wheat(1350, 330, 30, 0.85)}${wheat(150, 170, -44, 0.8)}${batard(1110, 840, -8, 0.5)}`,
  workbook: `${table('#5f7f80', '#2f484b')}${cloth(-160, 120, -9, '#f4ebdc', '#b5873f')}${dust(760, 540, 620, 160, 250)}${notebook(700, 500, -9)}${pencil(1130, 610, 58)}${wheat(1290, 200, 36, 0.8)}${wheat(230, 420, -30, 0.7)}`,
  sourdough: `${table('#7c8c7b', '#46564a')}${cloth(-60, 200, -12, '#f1e8d8', '#8a3b12')}${dust(760, 700, 620, 260, 1)}${wheat(1290, 180, 28, 1)}${wheat(1370, 250, 44, 0.92)}${boule(730, 500, 385)}${wheat(250, 180, -38, 0.8)}`,
  'first-loaf': `${table('#e3b57e', '#bd8148')}${cloth(880, -60, 14, '#f6efe3', '#4f6354')}${board(700, 560, 1000, 600, -7)}${dust(720, 600, 560, 190, 40)}${batard(700, 540, -13, 1.08)}${wheat(1250, 480, 24, 0.9)}`,
  starter: `${table('#c8643a', '#863712')}${cloth(760, 330, 9, '#f4eadb', '#46564a')}${dust(480, 780, 520, 170, 90)}${jar(500, 530)}${batard(1070, 560, 24, 0.78)}${wheat(860, 130, -64, 0.8)}`,
  baguettes: `${table('#40555f', '#23333b')}${cloth(380, 40, -5, '#efe6d6', '#b5873f')}${dust(760, 520, 700, 230, 130)}${baguette(720, 270, -13)}${baguette(770, 510, -13)}${baguette(820, 750, -13)}`,
  pan: `${table('#8d9a86', '#5a6657')}${cloth(-120, -80, 10, '#f4ebdc', '#8a3b12')}${dust(700, 700, 600, 160, 300)}${skillet(700, 560)}${flatbread(690, 560, 290, 4)}${flatbread(1240, 240, 190, 31)}${flatbread(1300, 320, 190, 57)}`,
  broa: `${table('#6a3d22', '#3a1f10')}${cloth(820, 120, 7, '#efe3cb', '#b5873f')}${dust(700, 620, 640, 300, 330)}${board(700, 560, 1000, 640, 5)}${broa(660, 540, 340)}${wheat(1290, 260, 30, 0.85)}`,
  calendar: `${table('#7a8f86', '#42564f')}${cloth(900, 300, -6, '#f4ebdc', '#8a3b12')}${dust(560, 720, 480, 130, 360)}${calendar(620, 500, -6)}${pencil(1150, 560, 64)}${croissant(1230, 250, 20, 0.6)}`,
  table: `${table('#b98a5a', '#7c5530')}${cloth(370, -120, 0, '#f6efe3', '#4f6354')}${dust(750, 520, 760, 260, 390)}${boule(360, 350, 210)}${batard(760, 720, 12, 0.62)}${batard(1130, 300, -30, 0.55)}${croissant(1150, 720, 14, 0.62)}${croissant(760, 250, -10, 0.5)}${jar(250, 760)}${wheat(1400, 480, 20, 0.7)}`,
  night: `${hearth('#5b5148', '#12100f')}${at(560, 690, 0, batard(0, 0, 0, 0.34))}${at(800, 680, 0, boule(0, 0, 105))}${at(1010, 692, 0, batard(0, 0, 0, 0.3))}`,
  oven: `${hearth('#c9b79c', '#8d7a63')}${at(640, 680, 0, boule(0, 0, 110))}${at(920, 690, 0, batard(0, 0, 0, 0.34))}${dust(750, 900, 700, 160, 420)}`,
  flour: `${table('#9aa58d', '#65705a')}${cloth(780, 420, 12, '#f4ebdc', '#b5873f')}${dust(760, 780, 660, 420, 450)}${sack(430, 470, -6, '#8a3b12')}${sack(900, 430, 5, '#4f6354')}${wheat(1290, 300, 34, 0.9)}${wheat(1200, 700, 70, 0.8)}`,
  jars: `${table('#56717a', '#2f444b')}${cloth(-80, 420, -7, '#f4ebdc', '#8a3b12')}${dust(760, 840, 620, 150, 480)}${at(0, 0, 0, jar(330, 540), 1)}${at(430, 60, 0, jar(330, 480), 1)}${at(860, 0, 0, jar(330, 560), 1)}${wheat(760, 120, -74, 0.7)}`,
  croissants: `${table('#e9cdb4', '#cc9f7d')}${cloth(60, 470, -8, '#fbf6ec', '#8a3b12')}${dust(760, 540, 640, 150, 170)}${wheat(1330, 640, 40, 0.8)}${croissant(510, 380, -14, 1.3)}${croissant(960, 640, 16, 1.3)}`,
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">
<rect width="512" height="512" rx="128" fill="#8a3b12"/>
<path d="M76 320C76 196 150 128 256 128S436 196 436 320C436 362 408 384 362 384H150C104 384 76 362 76 320Z" fill="#fbeeda"/>
<path d="M164 318Q176 238 226 194M236 324Q248 244 300 196M308 326Q320 256 366 212" stroke="#8a3b12" stroke-width="30" stroke-linecap="round" fill="none"/>
</svg>`

const drawing = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${DEFINITIONS}${content}</svg>`,
  )

for (const [name, content] of Object.entries(pictures))
  await sharp(drawing(content))
    .webp({ quality: 78 })
    .toFile(join(FOLDER, `${name}.webp`))
await sharp(Buffer.from(logo)).webp({ quality: 90 }).toFile(join(FOLDER, 'logo.webp'))

// One thing: breads and other things of the drawings of the demo school, as SVG around a point.
import { at, cut, ear, HEIGHT, renderShadow, scatter, times, WIDTH } from './demo-drawings.ts'

export const boule = (x: number, y: number, radius: number): string => {
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

export const batard = (x: number, y: number, turn: number, scale: number): string => {
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

export const baguette = (x: number, y: number, turn: number): string => {
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

export const croissant = (x: number, y: number, turn: number, scale: number): string => {
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

// A round loaf of maize: pale, floury, with a surface that has cracked open by itself.
export const broa = (x: number, y: number, radius: number): string => {
  const shape = `<circle r="${radius}"/>`
  // Corners of a wall of bricks that were all moved a little; the edges between them are the cracks.
  const corner = (column: number, row: number): string => {
    const seed = 600 + column * 17 + row * 31
    return `${(column - 6) * 62 + (scatter(seed) - 0.5) * 54} ${(row - 6) * 62 + (scatter(seed + 7) - 0.5) * 54}`
  }
  const cracks = times(169, index => {
    const [column, row] = [index % 13, Math.floor(index / 13)]
    const width = 3 + scatter(index + 900) ** 2 * 15
    const across = `M${corner(column, row)}L${corner(column + 1, row)}`
    const down = (column + row) % 2 === 0 ? `M${corner(column, row)}L${corner(column, row + 1)}` : ''
    return `<path d="${across}${down}" stroke="#8a4d18" stroke-width="${width}" fill="none" stroke-linecap="round" opacity="0.8"/>`
  })
  return at(
    x,
    y,
    8,
    `${renderShadow(shape, 24, 40, 0.55)}<g fill="url(#gold)">${shape}</g><clipPath id="broa">${shape}</clipPath><g clip-path="url(#broa)">${cracks}</g><g filter="url(#grain)" opacity="0.45">${shape}</g><g filter="url(#flour)" opacity="0.95">${shape}</g>`,
  )
}

export const flatbread = (x: number, y: number, radius: number, seed: number): string => {
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

export const jar = (x: number, y: number): string => {
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
export const notebook = (x: number, y: number, turn: number): string => {
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

export const pencil = (x: number, y: number, turn: number): string =>
  at(
    x,
    y,
    turn,
    `${renderShadow('<rect x="-260" y="-17" width="520" height="34" rx="10"/>', 12, 18, 0.45)}<rect x="-260" y="-17" width="460" height="34" fill="#e0ae4c"/><rect x="-260" y="-6" width="460" height="12" fill="#c89236"/><path d="M200 -17L262 0L200 17Z" fill="#f3dfb8"/><path d="M240 -6L262 0L240 6Z" fill="#3a2a1c"/><rect x="-290" y="-17" width="36" height="34" rx="10" fill="#a5402a"/>`,
  )

export const skillet = (x: number, y: number): string => {
  const shape = '<circle r="370"/><rect x="330" y="-46" width="520" height="92" rx="46"/>'
  return at(
    x,
    y,
    -28,
    `${renderShadow(shape, 24, 40, 0.55)}<g fill="#2b2b2d">${shape}</g><circle r="330" fill="#37373a"/><circle r="330" fill="none" stroke="#4b4b50" stroke-width="10"/><circle cx="806" r="18" fill="#77777c"/>`,
  )
}

// An arch of stone with a fire behind the loaves.
export const hearth = (stone: string, dark: string): string => {
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

export const sack = (x: number, y: number, turn: number, label: string): string => {
  const shape = '<path d="M-210 -300Q0 -340 210 -300L240 290Q0 330 -240 290Z"/>'
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 24, 36, 0.5)}<g fill="#d9c29a">${shape}</g><g filter="url(#grain)" opacity="0.5">${shape}</g><path d="M-212 -250Q0 -286 212 -250" stroke="#a9895a" stroke-width="10" fill="none" opacity="0.7"/><rect x="-140" y="-120" width="280" height="240" rx="18" fill="${label}"/>${at(0, 26, 0, ear(), 0.34)}`,
  )
}

export const calendar = (x: number, y: number, turn: number): string => {
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

// A slice of bread, with the holes of an open crumb.
export const slice = (x: number, y: number, turn: number, scale: number, seed: number): string => {
  const shape =
    '<path d="M-200 150C-250 60 -290 -60 -210 -130C-130 -200 130 -200 210 -130C290 -60 250 60 200 150C190 190 -190 190 -200 150Z"/>'
  const holes = times(44, index => {
    const [turned, far] = [scatter(seed + index) * 6.283, scatter(seed + index + 200) ** 0.6]
    const size = 4 + scatter(seed + index + 400) ** 3 * 26
    return `<ellipse cx="${Math.cos(turned) * far * 185}" cy="${10 + Math.sin(turned) * far * 120}" rx="${size * 1.25}" ry="${size * 0.8}" fill="#d9b47c" opacity="${0.4 + scatter(seed + index + 600) * 0.5}"/>`
  })
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 14, 22, 0.5)}<g fill="#a35a22">${shape}</g><g transform="translate(0 4) scale(0.9)"><g fill="#f7e6c4">${shape}</g>${holes}</g><g filter="url(#grain)" opacity="0.25">${shape}</g>`,
    scale,
  )
}

export const bowl = (x: number, y: number, radius: number, flour: string): string => {
  const shape = `<circle r="${radius}"/>`
  const inside = `<circle r="${radius * 0.86}"/>`
  const heaps = times(9, index => {
    const [turn, far] = [index * 0.7 + scatter(index + radius) * 0.5, (0.1 + scatter(index + 3) * 0.42) * radius]
    const [left, top] = [Math.cos(turn) * far, Math.sin(turn) * far]
    const size = radius * (0.2 + scatter(index + radius + 9) * 0.18)
    return `<ellipse cx="${left + 10}" cy="${top + 14}" rx="${size}" ry="${size * 0.7}" fill="#5a3a18" opacity="0.16" filter="url(#soft)"/><ellipse cx="${left}" cy="${top}" rx="${size}" ry="${size * 0.66}" fill="#fffdf4" opacity="0.22" filter="url(#soft)"/>`
  })
  return at(
    x,
    y,
    0,
    `${renderShadow(shape, 20, 30, 0.5)}<g fill="#4f6b73">${shape}</g><circle r="${radius * 0.95}" fill="#6f8b92"/><g fill="${flour}">${inside}</g>${heaps}<circle r="${radius * 0.82}" fill="none" stroke="#3a2410" stroke-width="${radius * 0.09}" opacity="0.3" filter="url(#soft)"/><g filter="url(#grain)" opacity="0.8">${inside}</g>`,
  )
}

// A letter with a picture of what its writer baked.
export const letter = (x: number, y: number, turn: number, color: string, baked: string): string => {
  const shape = '<rect x="-190" y="-250" width="380" height="500" rx="14"/>'
  const lines = times(
    4,
    index =>
      `<path d="M-150 ${92 + index * 36}H${[150, 138, 146, 40][index]}" stroke="#8a6a4a" stroke-width="7" stroke-linecap="round" opacity="0.55"/>`,
  )
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 14, 22, 0.45)}<g fill="#fdf8ee">${shape}</g><rect x="-160" y="-220" width="320" height="270" rx="8" fill="${color}"/>${baked}${lines}<g filter="url(#grain)" opacity="0.2">${shape}</g>`,
  )
}

// A long loaf of rye in its tin.
export const tin = (x: number, y: number, turn: number): string => {
  const loaf = '<rect x="-440" y="-158" width="880" height="316" rx="70"/>'
  const shape = '<rect x="-490" y="-206" width="980" height="412" rx="48"/>'
  const crack = '<path d="M-350 14C-220 -40 -120 46 10 -8C130 -56 240 44 356 -16" fill="none" stroke-linecap="round"'
  return at(
    x,
    y,
    turn,
    `${renderShadow(shape, 24, 40, 0.55)}<g fill="#4a4f52">${shape}</g><rect x="-466" y="-182" width="932" height="364" rx="40" fill="#6b7276"/><g fill="url(#crust)">${loaf}</g>${crack} stroke="#5a2c0e" stroke-width="34" opacity="0.8"/>${crack} stroke="#b9824e" stroke-width="16"/><g filter="url(#grain)" opacity="0.5">${loaf}</g><g filter="url(#flour)" opacity="0.7">${loaf}</g>`,
  )
}

export const plate = (x: number, y: number, radius: number): string =>
  at(
    x,
    y,
    0,
    `${renderShadow(`<circle r="${radius}"/>`, 18, 30, 0.5)}<circle r="${radius}" fill="#f6f1e7"/><circle r="${radius * 0.72}" fill="none" stroke="#d9cfbc" stroke-width="6"/>`,
  )

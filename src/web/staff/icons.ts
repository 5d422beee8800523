import { icon } from '#src/web/icon.ts'

/** The small pictures of the console. */
export const icons = {
  home: icon('M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6'),
  courses: icon('M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14'),
  people: icon(
    'M9 11a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 6',
  ),
  sales: icon('M5 8h14l1 12H4zM8.5 8V7a3.5 3.5 0 0 1 7 0v1'),
  events: icon('M5 6h14v14H5zM5 10h14M9 3v4M15 3v4'),
  site: icon('M4 4h16v16H4zM4 9h16M9 20V9'),
  insights: icon('M4 4v16h16M7 15l4-5 3 3 5-7'),
  settings: icon('M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM6 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0z'),
  menu: icon('M4 6h16M4 12h16M4 18h16'),
  search: icon('M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16 16l4.5 4.5'),
  plus: icon('M12 5v14M5 12h14'),
  away: icon('M14 5h5v5M19 5l-9 9M17 13v6H5V7h6'),
} as const

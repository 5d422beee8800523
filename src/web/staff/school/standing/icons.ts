import { icon } from '#src/web/icon.ts'

/** The pictures of the tiles of the settings. */
export const tileIcons = {
  payments: icon('M2 6h20v13H2zM2 10h20M6 15h3'),
  mail: icon('M3 5h18v14H3zM3 7l9 6 9-6'),
  domain: icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM3 12h18M12 3a13 13 0 0 1 0 18 13 13 0 0 1 0-18z'),
  seller: icon('M12 3v18M7 21h10M5 7h14M5 7l-3 7a4 4 0 0 0 6 0zM19 7l-3 7a4 4 0 0 0 6 0z'),
  school: icon('M4 11v9h16v-9M3 8l2-4h14l2 4a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM10 20v-5h4v5'),
  terms: icon('M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6'),
  checkout: icon('M3 4h3l2 11h10l2-8H7M9 20h.01M17 20h.01'),
  certificates: icon('M12 14a5 5 0 1 1 0-10 5 5 0 0 1 0 10zM9 13l-1 8 4-2 4 2-1-8'),
  subscriptions: icon('M4 12a8 8 0 0 1 14-5l2 2M20 5v4h-4M20 12a8 8 0 0 1-14 5l-2-2M4 19v-4h4'),
  comments: icon('M4 5h16v11H9l-5 4z'),
  staff: icon('M12 3l8 3v6c0 5-3.5 7.5-8 9-4.500-1.500-8-4-8-9V6z'),
  sign_in: icon('M8 20a4 4 0 1 1 0-8 4 4 0 0 1 0 8zM11 13l9-9M16 8l3 3'),
  fields: icon('M4 6h11M4 12h7M4 18h11M18 9v6M15 12h6'),
  apps: icon('M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3'),
  webhooks: icon(
    'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2M6 17l3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06M12 6l3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8',
  ),
  outbox: icon('M21 3L3 10l7 3 3 7zM21 3L10 13'),
  export: icon('M12 4v11M8 11l4 4 4-4M4 17v3h16v-3'),
} as const

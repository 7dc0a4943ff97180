/** Line icons on a 24 grid, 1.6 stroke; what is filled carries the class `fill`. */
export const iconShapes = {
  chat: <path d="M4 5h16v11.5h-9.5L6.5 20v-3.5H4z" />,
  beliefs: (
    <>
      <path d="M3.8 17.5a8.2 8.2 0 1 1 16.4 0M12 5.500v2M6 11l1.6 1M12 17.500l4.2-5.6" />
      <circle className="fill" cx="12" cy="17.5" r="2" />
    </>
  ),
  library: <path d="M4.5 4.5h4v15h-4zM8.5 4.5h4v15h-4zM13.2 6l3.8-1 3.7 14-3.8 1z" />,
  feeds: (
    <>
      <circle className="fill" cx="6" cy="18" r="1.7" />
      <path d="M4.5 11.5a8 8 0 0 1 8 8M4.5 5a14.5 14.5 0 0 1 14.5 14.5" />
    </>
  ),
  memory: <path d="M4.2 12.5A7.8 7.8 0 1 0 6.8 6.2L4.5 8.3M4.3 4.2v4.2h4.2M12 8v4.4l3 1.8" />,
  models: (
    <>
      <rect x="6.5" y="6.5" width="11" height="11" rx="1.5" />
      <path d="M10 10h4v4h-4zM9.5 3v3.5M14.5 3v3.5M9.5 17.5V21M14.5 17.5V21M3 9.5h3.5M3 14.5h3.5M17.5 9.5H21M17.5 14.5H21" />
    </>
  ),
  privacy: <path d="M12 3.2l7.2 2.7v5.3c0 4.5-3 7.8-7.2 9.6-4.2-1.8-7.2-5.1-7.2-9.6V5.9z" />,
  settings: (
    <>
      <path d="M4 7.5h9.5M18.5 7.5H20M4 16.5h1.5M10.5 16.5H20" />
      <circle cx="16" cy="7.5" r="2.4" />
      <circle cx="8" cy="16.5" r="2.4" />
    </>
  ),
  search: (
    <>
      <circle cx="10.8" cy="10.8" r="6.3" />
      <path d="M15.5 15.5L20 20" />
    </>
  ),
  plus: <path d="M12 5v14M5 12h14" />,
  x: <path d="M6 6l12 12M18 6L6 18" />,
  check: <path d="M4.5 12.5l5 5L19.5 7" />,
  right: <path d="M9 5.5l6.5 6.5L9 18.5" />,
  down: <path d="M5.5 9l6.5 6.5L18.5 9" />,
  left: <path d="M15 5.5L8.5 12l6.5 6.5" />,
  arrow: <path d="M4.5 12h15M13.5 6l6 6-6 6" />,
  up: <path d="M12 19.5v-15M6 10.5l6-6 6 6" />,
  stop: <rect className="fill" x="6.5" y="6.5" width="11" height="11" rx="2" />,
  pause: <path d="M8.5 5.5v13M15.5 5.5v13" />,
  play: <path d="M7.5 5l11 7-11 7z" />,
  refresh: <path d="M19.5 12a7.5 7.5 0 1 1-2.3-5.4L19.5 9M19.5 4.5V9H15" />,
  more: (
    <>
      <circle className="fill" cx="5.5" cy="12" r="1.5" />
      <circle className="fill" cx="12" cy="12" r="1.5" />
      <circle className="fill" cx="18.5" cy="12" r="1.5" />
    </>
  ),
  pin: <path d="M9 4h6l-.8 6 3.3 3.5h-11L9.8 10zM12 13.5V20" />,
  star: <path d="M12 4l2.5 5.2 5.7.8-4.1 4 1 5.6L12 16.9l-5.1 2.7 1-5.6-4.1-4 5.7-.8z" />,
  file: <path d="M6 3.5h8l4.5 4.5v12.5H6zM13.5 3.5V8.5h5" />,
  folder: <path d="M3.5 6h6l2 2.5h9V19h-17z" />,
  clip: (
    <path d="M19 11.5l-7.3 7.3a4.6 4.6 0 0 1-6.5-6.5l7.6-7.6a3 3 0 0 1 4.3 4.3l-7.4 7.4a1.5 1.5 0 0 1-2.1-2.1l6.6-6.6" />
  ),
  edit: <path d="M4.5 19.5l1-4L16 5l3 3L8.5 18.500zM14 7l3 3" />,
  trash: <path d="M4.5 6.500h15M9.5 6.500V4h5v2.500M6.5 6.500l1 13.500h9l1-13.500M10.3 10.500v6M13.7 10.500v6" />,
  undo: <path d="M8.5 5L4.5 9l4 4M4.5 9h9a5.5 5.5 0 0 1 0 11H9" />,
  lock: (
    <>
      <rect x="5.5" y="10.5" width="13" height="9.5" rx="1.5" />
      <path d="M8.5 10.500V8a3.5 3.5 0 0 1 7 0v2.5" />
    </>
  ),
  plug: <path d="M9 3.500v4.500M15 3.500v4.500M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.500v4" />,
  globe: (
    <>
      <circle cx="12" cy="12" r="8.3" />
      <path d="M3.7 12h16.600M12 3.700c5 5 5 11.6 0 16.600M12 3.700c-5 5-5 11.6 0 16.6" />
    </>
  ),
  alert: (
    <>
      <path d="M12 4l9 16H3zM12 10v4.5" />
      <circle className="fill" cx="12" cy="17.3" r="1" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5.5" />
      <circle className="fill" cx="12" cy="7.8" r="1.1" />
    </>
  ),
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11.5" height="11.5" rx="1.5" />
      <path d="M15.5 8.500V4H4v11.500h4.5" />
    </>
  ),
  out: <path d="M14 4.500h5.500V10M19.5 4.500L11 13M17 13.500v6H4.500V7h6" />,
  list: (
    <>
      <path d="M8.5 6.500H20M8.5 12H20M8.5 17.500H20" />
      <circle className="fill" cx="4.7" cy="6.5" r="1.2" />
      <circle className="fill" cx="4.7" cy="12" r="1.2" />
      <circle className="fill" cx="4.7" cy="17.5" r="1.2" />
    </>
  ),
  panel: (
    <>
      <rect x="3.5" y="5" width="17" height="14" rx="2" />
      <path d="M14.5 5v14" />
    </>
  ),
  import: <path d="M12 4v10.500M7.5 10l4.5 4.500L16.5 10M4.5 16v4h15v-4" />,
  export: <path d="M12 14.500V4M7.5 8.500L12 4l4.5 4.500M4.5 16v4h15v-4" />,
  key: (
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="M11 12.500l8.5-8.500M16 7.500l3 3" />
    </>
  ),
  mail: (
    <>
      <rect x="3.5" y="5.5" width="17" height="13" rx="1.5" />
      <path d="M4 7l8 6.500L20 7" />
    </>
  ),
  table: (
    <>
      <rect x="4" y="5" width="16" height="14" rx="1.5" />
      <path d="M4 9.700h16M4 14.300h16M10 5v14" />
    </>
  ),
  eye: (
    <>
      <path d="M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  flag: <path d="M6 21V4h11l-2.5 4.500L17 13H6" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.3" />
      <path d="M12 7.300V12l3.3 2" />
    </>
  ),
  still: (
    <>
      <path d="M4 12h16" />
      <circle cx="12" cy="12" r="3.2" />
    </>
  ),
  ask: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.6 9.500a2.5 2.5 0 1 1 3.7 2.200c-.9.5-1.3 1-1.3 2" />
      <circle className="fill" cx="12" cy="16.5" r="1.1" />
    </>
  ),
  scan: <path d="M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M7.5 12h9" />,
  tag: (
    <>
      <path d="M4 4.500h7.500l8.5 8.5-7 7-9-8.500z" />
      <circle className="fill" cx="8.2" cy="8.5" r="1.2" />
    </>
  ),
  steps: (
    <>
      <path d="M6 5v14" />
      <circle className="fill" cx="6" cy="6" r="1.9" />
      <circle className="fill" cx="6" cy="12" r="1.9" />
      <circle className="fill" cx="6" cy="18" r="1.9" />
      <path d="M11 6h9M11 12h6.500M11 18h8" />
    </>
  ),
  filter: <path d="M4 6.500h16M7 12h10M10 17.500h4" />,
  cmd: (
    <path d="M9 9h6v6H9zM9 9H6.500A2.5 2.5 0 1 1 9 6.500zM15 9V6.500A2.5 2.5 0 1 1 17.5 9zM15 15h2.500a2.5 2.5 0 1 1-2.5 2.500zM9 15v2.500A2.5 2.5 0 1 1 6.5 15z" />
  ),
  fall: <path d="M4 6c4 0 5 9 16 11" />,
  battery: (
    <>
      <rect x="3.5" y="8" width="15" height="8" rx="1.5" />
      <path d="M21 11v2M6.5 11v2" />
    </>
  ),
};

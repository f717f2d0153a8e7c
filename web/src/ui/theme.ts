// Light or dark: as the system says, until somebody chooses.

import { useLayoutEffect, useState } from 'preact/hooks';

type Theme = 'light' | 'dark';

const KEY = 'wherefore-theme';

function stored(): Theme | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === 'light' || text === 'dark' ? text : null;
  } catch {
    return null;
  }
}

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => stored() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    setTheme(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // A page opened from disk may have no storage: the choice then lasts as long as the page.
    }
  };
  return [theme, toggle];
}

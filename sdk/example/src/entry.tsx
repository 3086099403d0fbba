import type { ReactNode } from 'react';

interface EntryProps {
  label: string;
  hint: string;
  button: string;
  onSend: (text: string) => void;
  children?: ReactNode;
}

/** A field and a button that sends its text. React empties the field afterwards. */
export function Entry({ label, hint, button, onSend, children }: EntryProps) {
  return (
    <form action={(form) => onSend(String(form.get('text')))}>
      <input name="text" required placeholder={hint} aria-label={label} />
      <button>{button}</button>
      {children}
    </form>
  );
}

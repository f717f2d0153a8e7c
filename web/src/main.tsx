// The page starts here.

import { render } from 'preact';
import { embeddedData, sourceOf } from './api/source';
import { App } from './app';
import './style/base.css';
import './style/page.css';
import './style/evidence.css';
import './style/graph.css';
import './style/screens.css';
import './style/blame.css';
import './style/print.css';

const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren();
  render(<App source={sourceOf(embeddedData(document))} />, place);
}

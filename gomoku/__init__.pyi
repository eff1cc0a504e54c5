from . import answers as answers
from .cli import main as main
from .web.app import create_app as create_app
